using Microsoft.CodeAnalysis.CSharp;
using Mux.Description.Proto;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Importing.Naming;

/// <summary>
/// C# names of imported types. Nested types are in a class Types, as protoc places them for C#: a member may have the name of one.
/// </summary>
internal sealed class CSharpNames
{
    /// <summary>Name of the class around nested types.</summary>
    public const string Nested = "Types";

    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);
    private readonly Dictionary<ProtoFile, string> _namespaces = [];

    public CSharpNames(ProtoSet set, ImportFiles files, ImportProject project, ReferencedTypes referenced, List<ImportFault> faults)
    {
        foreach (var file in set.Files) _namespaces.Add(file, NamespaceOf(file, files.Find(file.Name), project, faults));
        var taken = new NameSet(_namespaces.Values.SelectMany(static space => Around(space)));
        foreach (var file in set.Files)
        {
            var scope = _namespaces[file];
            foreach (var message in file.Messages) Add(message, TakeFree(message, ClassOf(message)));
            foreach (var type in file.Enums) _names.Add(type.FullName, TakeFree(type, type.Name));
            foreach (var service in file.Services) _names.Add(service.FullName, TakeFree(service, "I" + service.Name));

            string TakeFree(ProtoElement type, string name)
            {
                var free = Take(scope, name, taken);
                while (referenced.IsOther(free, type, file)) free = taken.Take(free + "_");
                return free;
            }
        }
    }

    /// <summary>Gets the namespace of a file's types; empty for none.</summary>
    public string NamespaceOf(ProtoFile file) => _namespaces[file];

    /// <summary>Gets the full C# name of a message, enum or service by its name in protobuf, as it is without '@' and 'global::'.</summary>
    public string MetadataNameOf(string fullName) => _names[fullName];

    /// <summary>Gets the last part of the C# name, as a declaration has it.</summary>
    public string NameOf(ProtoElement type)
    {
        var name = _names[type.FullName];
        return SymbolText.Escape(name.Substring(name.LastIndexOf('.') + 1));
    }

    /// <summary>Gets the C# name as code refers to the type.</summary>
    public string CodeOf(string fullName) => "global::" + string.Join(".", _names[fullName].Split('.').Select(SymbolText.Escape));

    private static string NamespaceOf(ProtoFile file, ImportInput? input, ImportProject project, List<ImportFault> faults)
    {
        // Protobuf's own classes are in the namespace of their option.
        var chosen = input is null ? null : input.Namespace ?? file.CSharpNamespace;
        if (chosen is { Length: > 0 } && !chosen.Split('.').All(SyntaxFacts.IsValidIdentifier))
        {
            faults.Add(new ImportFault(ImportDiagnostics.Name, input!.Path, 0, 0, new([file.Name, $"'{chosen}' is no namespace of C#"])));
            chosen = null;
        }

        if (chosen is { Length: > 0 }) return chosen;
        return file.Package.Length > 0 ? ProtoCase.Namespace(file.Package) : project.RootNamespace ?? string.Empty;
    }

    private static IEnumerable<string> Around(string space)
    {
        for (var around = space; around.Length > 0; around = around.Substring(0, Math.Max(around.LastIndexOf('.'), 0))) yield return around;
    }

    private static string Take(string scope, string name, NameSet taken) => taken.Take(scope.Length == 0 ? name : $"{scope}.{name}");

    // A class cannot have a member of its own name.
    private static string ClassOf(ProtoMessage message)
    {
        bool isMember = message.Name == MemberNames.Unknown || message.Name.StartsWith(MemberNames.Condition, StringComparison.Ordinal)
            || (message.Name == Nested && message.Messages.Count + message.Enums.Count > 0);
        return isMember ? message.Name + "_" : message.Name;
    }

    private void Add(ProtoMessage message, string name)
    {
        _names.Add(message.FullName, name);
        var taken = new NameSet([]);
        var scope = $"{name}.{Nested}";
        foreach (var nested in message.Messages) Add(nested, Take(scope, nested.Name == Nested ? Nested + "_" : ClassOf(nested), taken));
        foreach (var type in message.Enums) _names.Add(type.FullName, Take(scope, type.Name == Nested ? Nested + "_" : type.Name, taken));
    }
}
