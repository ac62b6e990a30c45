using Mux.Description;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Joining;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Describing;

namespace Mux.Generators.Importing;

/// <summary>Describes imported types as their files declare them, whatever became of their names in C#.</summary>
/// <param name="set">The files.</param>
/// <param name="services">Contracts of their services, by name on the wire: the fingerprints of methods are theirs.</param>
/// <param name="describerOf">Gets the describer of a type that is not nested, by its name.</param>
internal sealed class PartReader(ProtoSet set, IReadOnlyDictionary<string, ServiceModel> services, Func<string, string> describerOf)
{
    private readonly HashSet<string> _outermost = new(set.Files.SelectMany(static file =>
        file.Messages.Select(static type => type.FullName).Concat(file.Enums.Select(static type => type.FullName))
            .Concat(file.Services.Select(static type => type.FullName))), StringComparer.Ordinal);

    public IEnumerable<ImportedPart> Read()
    {
        foreach (var file in set.Files.Where(static file => !IsShared(file)))
        {
            bool isProto2 = IsProto2(file);
            var syntax = isProto2 ? ProtoSyntax.Proto2 : ProtoSyntax.Proto3;
            foreach (var message in file.Messages)
            {
                var kind = isProto2 ? PartKind.Proto2Message : PartKind.Message;
                yield return Make(message, new PartModel(kind, file.Package, new([.. MessageWriter.Write(message, syntax).ToArray()])), NamesIn(message));
            }

            foreach (var type in file.Enums)
            {
                var kind = isProto2 ? PartKind.Proto2Enum : PartKind.Enum;
                yield return Make(type, new PartModel(kind, file.Package, new([.. EnumWriter.Write(type, syntax).ToArray()])), []);
            }

            foreach (var service in file.Services)
            {
                if (services.TryGetValue(service.WireName ?? service.FullName, out var model)) SetFingerprints(service, model);
                yield return Make(service, new PartModel(PartKind.Service, file.Package, new([.. ServiceWriter.Write(service).ToArray()])), NamesIn(service));
            }
        }
    }

    // Protobuf's own files, those of protobuf-net and of Mux are there for all descriptions.
    private static bool IsShared(ProtoFile file) => file.Messages.Count > 0 && SharedFiles.FileOf(file.Messages[0].FullName) is not null;

    // Descriptions have files of the older languages. What editions have beyond proto3 is in proto2, for all types of a file, because they name each other.
    private static bool IsProto2(ProtoFile file) => file.Syntax switch
    {
        ProtoSyntax.Proto2 => true,
        ProtoSyntax.Proto3 => false,
        _ => file.Enums.Exists(static type => type.IsClosed) || file.Messages.Exists(NeedsProto2),
    };

    private static bool NeedsProto2(ProtoMessage message) => message.Extensions.Count > 0 || message.Enums.Exists(static type => type.IsClosed)
        || message.Messages.Exists(NeedsProto2)
        || message.Fields.Exists(static field =>
            field.Kind == FieldKind.Group || field.IsRequired || field.Default is not null || field.Enum is { IsClosed: true });

    private static void SetFingerprints(ProtoService service, ServiceModel model)
    {
        foreach (var method in service.Methods)
        {
            if (model.Methods.FirstOrDefault(other => other.WireName == (method.Options.WireName ?? method.Name)) is not { } found) continue;
            method.Options.RequestFingerprint = found.RequestFingerprint;
            method.Options.ResponseFingerprint = found.ResponseFingerprint;
        }
    }

    private static IEnumerable<string> NamesIn(ProtoMessage message) =>
        message.Fields.Select(static field => field.TypeName).OfType<string>().Concat(message.Messages.SelectMany(NamesIn));

    private static IEnumerable<string> NamesIn(ProtoService service) => service.Methods.SelectMany(static method =>
        method.Options.Details.Select(static detail => detail.Message).Append(method.Options.Arguments).OfType<string>()
            .Concat(method.Options.Callbacks).Append(method.RequestName).Append(method.ResponseName));

    private ImportedPart Make(ProtoElement type, PartModel part, IEnumerable<string> names)
    {
        var targets = names.Select(Outermost).Where(name => name != type.FullName && SharedFiles.FileOf(name) is null).Distinct(StringComparer.Ordinal);
        return new ImportedPart(describerOf(type.FullName), part, new([.. targets.Select(describerOf)]));
    }

    private string Outermost(string name)
    {
        while (!_outermost.Contains(name) && name.LastIndexOf('.') is var dot and > 0) name = name.Substring(0, dot);
        return name;
    }
}
