using Microsoft.CodeAnalysis;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Joining;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Describing;
using Mux.Generators.Importing;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>The contracts of the code as files of protobuf, and where the code declares them.</summary>
/// <param name="services">The contracts.</param>
/// <param name="messages">All messages that they reach.</param>
/// <param name="imported">Descriptions of types that were made of .proto files.</param>
internal sealed class CodeContracts(EquatableArray<ServiceModel> services, EquatableArray<MessageModel> messages, EquatableArray<ImportedPart> imported)
{
    private readonly Lazy<Dictionary<string, MessageModel>> _byName = new(() => ByName(messages));

    /// <summary>Reads the contracts of a compilation, after the generator has run; null if one has mistakes.</summary>
    /// <param name="compilation">The compilation.</param>
    /// <param name="imported">Descriptions of types that were made of .proto files.</param>
    /// <param name="cancellationToken">Cancels the work.</param>
    public static CodeContracts? Read(Compilation compilation, EquatableArray<ImportedPart> imported, CancellationToken cancellationToken)
    {
        var contracts = compilation.GetSymbolsWithName(static _ => true, SymbolFilter.Type, cancellationToken).OfType<INamedTypeSymbol>()
            .Where(static type => type.TypeKind == TypeKind.Interface && type.HasAttribute(WellKnownNames.MuxService))
            .Select(type => ContractReader.Read(type, compilation, cancellationToken)).ToList();
        return contracts.Exists(static contract => contract.Service is null) ? null : new CodeContracts(
            new([.. contracts.Select(static contract => contract.Service!)]), Distinct(contracts.SelectMany(static contract => contract.Messages)), imported);
    }

    /// <summary>Gets each message once: contracts that reach the same one share its codec.</summary>
    public static EquatableArray<MessageModel> Distinct(IEnumerable<MessageModel> messages)
    {
        var known = new HashSet<string>(StringComparer.Ordinal);
        return new([.. messages.Where(message => known.Add(message.Codec))]);
    }

    /// <summary>Makes the files. Contracts of a project without descriptions are described for that.</summary>
    public ProtoSet ToFiles()
    {
        bool isDescribed = services.All(static service => service.Description is not null);
        var descriptions = (isDescribed
            ? services.Select(static service => service.Description).Concat(messages.Select(static message => message.Description)).OfType<DescriptionModel>()
            : Descriptions.Of(services, messages)).ToList();
        var reached = ReachedParts(descriptions.SelectMany(static description => description.Codecs));
        var parts = descriptions.SelectMany(static description => description.Parts).Concat(reached)
            .Select(static part => new TypePart(part.Kind, part.Package, part.Descriptor.Memory));
        return DescriptorReader.Read(new FileJoin(parts).Join());
    }

    /// <summary>Gets the places of an element, the best one first; none for elements without a C# name.</summary>
    /// <param name="type">The service, message or enum.</param>
    /// <param name="member">The method, field or value; null for the type.</param>
    public IEnumerable<ContractPlace> PlacesOf(ProtoElement? type, ProtoElement? member) => type switch
    {
        ProtoService service => PlacesOf(service, member as ProtoMethod),
        ProtoMessage message => PlacesOf(message, member as ProtoField),
        ProtoEnum known => PlacesOf(known, member),
        _ => [],
    };

    private IEnumerable<PartModel> ReachedParts(IEnumerable<string> codecs)
    {
        if (imported.Count == 0) yield break;
        var byDescriber = imported.ToDictionary(static part => part.Describer, StringComparer.Ordinal);
        var next = new Queue<string>(codecs);
        var seen = new HashSet<string>(StringComparer.Ordinal);
        while (next.Count > 0)
        {
            var describer = next.Dequeue();
            if (!seen.Add(describer) || !byDescriber.TryGetValue(describer, out var found)) continue;
            foreach (var target in found.Targets) next.Enqueue(target);
            yield return found.Part;
        }
    }

    private static IEnumerable<ContractPlace> Places(string type, string? member)
    {
        var name = type.Replace("global::", string.Empty).Replace("@", string.Empty);
        if (member is not null) yield return new ContractPlace(name, member.TrimStart('@'));
        yield return new ContractPlace(name, null);
    }

    private static Dictionary<string, MessageModel> ByName(EquatableArray<MessageModel> messages)
    {
        var graph = new MessageGraph(messages);
        var found = new Dictionary<string, MessageModel>(StringComparer.Ordinal);
        foreach (var message in messages.Where(MessageGraph.IsDescribed)) found[graph.NameOf(message).Full] = message;
        return found;
    }

    private IEnumerable<ContractPlace> PlacesOf(ProtoService service, ProtoMethod? method)
    {
        var name = method?.Options.WireName ?? method?.Name;
        if (services.FirstOrDefault(model => model.WireName == (service.WireName ?? service.FullName)) is { } contract)
            return Places(contract.InterfaceName, contract.Methods.FirstOrDefault(model => model.WireName == name)?.Name);
        var callback = services.SelectMany(static model => model.Methods).SelectMany(static model => model.Callbacks)
            .FirstOrDefault(model => service.FullName.EndsWith("_" + ProtoNames.ToWord(model.Identifier), StringComparison.Ordinal));
        return callback is null ? [] : Places(callback.InterfaceName, callback.Methods.FirstOrDefault(model => model.WireName == name)?.Name);
    }

    private IEnumerable<ContractPlace> PlacesOf(ProtoMessage message, ProtoField? field)
    {
        if (_byName.Value.TryGetValue(message.FullName, out var model))
            return Places(model.TypeName, model.Members.FirstOrDefault(member => member.Number == field?.Number)?.Name);

        // Messages around items, and those that are made for a method.
        for (var name = message.FullName; name.LastIndexOf('.') is var dot and > 0;)
        {
            name = name.Substring(0, dot);
            if (_byName.Value.TryGetValue(name, out model)) return Places(model.TypeName, null);
        }

        return services.SelectMany(
                static service => service.Methods, static (service, method) => (service, method, Name: ProtoNames.OfService(service.WireName).Full))
            .Where(pair => message.FullName.StartsWith($"{pair.Name}_{ProtoNames.ToWord(pair.method.WireName)}", StringComparison.Ordinal))
            .OrderByDescending(static pair => pair.method.WireName.Length)
            .SelectMany(static pair => Places(pair.service.InterfaceName, pair.method.Name));
    }

    // The names of enums are those of C#, with what is around nested ones.
    private static IEnumerable<ContractPlace> PlacesOf(ProtoEnum known, ProtoElement? value)
    {
        var package = known.FullName.Substring(0, known.FullName.Length - known.Name.Length);
        bool isPrefixed = value is not null && value.Name.StartsWith(known.Name + "_", StringComparison.Ordinal);
        var member = isPrefixed ? value!.Name.Substring(known.Name.Length + 1) : value?.Name;
        return Places(known.FullName, member).Concat(Places(package + known.Name.Replace('_', '.'), member));
    }
}
