using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Gives everything of a file its full name, and puts it into the tree of all names.</summary>
internal sealed class Declarer(Symbol root, Dictionary<ParsedNode, Symbol> scopes)
{
    public void Declare(ParsedFile file)
    {
        var package = DeclarePackage(file);
        if (package is null) return;
        scopes[file] = package;
        foreach (var message in file.Messages) Declare(message, package, file.Model.Package);
        foreach (var type in file.Enums) Declare(type, package, file.Model.Package);
        foreach (var service in file.Services) Declare(service, package, file.Model.Package);
        foreach (var extension in file.Extensions) Add(extension, extension.Model, package, file.Model.Package, SymbolKind.Extension);
    }

    private Symbol? DeclarePackage(ParsedFile file)
    {
        var current = root;
        if (file.Model.Package.Length == 0) return current;
        foreach (var part in file.Model.Package.Split('.'))
        {
            var next = current.Find(part);
            if (next is { Kind: not SymbolKind.Package })
            {
                file.Faults.Error(file.PackagePosition, $"The package needs the name '{part}', but {Describe(next)} has it already.");
                return null;
            }

            current = next ?? current.Add(part, SymbolKind.Package, null);
        }

        return current;
    }

    private void Declare(ParsedMessage message, Symbol parent, string scope)
    {
        var symbol = Add(message, message.Model, parent, scope, SymbolKind.Message);
        if (symbol is null) return;
        var name = message.Model.FullName;
        foreach (var oneof in message.Oneofs) Add(oneof, oneof.Model, symbol, name, SymbolKind.Member);
        foreach (var field in message.Fields) Add(field, field.Model, symbol, name, SymbolKind.Member);
        foreach (var extension in message.Extensions) Add(extension, extension.Model, symbol, name, SymbolKind.Extension);
        foreach (var type in message.Enums) Declare(type, symbol, name);
        foreach (var nested in message.Messages) Declare(nested, symbol, name);
    }

    private void Declare(ParsedEnum type, Symbol parent, string scope)
    {
        Add(type, type.Model, parent, scope, SymbolKind.Enum);
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var value in type.Members)
        {
            if (Add(value, value.Model, parent, scope, SymbolKind.Member) is null && names.Add(value.Model.Name))
                type.File.Faults.Error(value.Position, "Names of values must be unique in the scope that contains the enum, not only in the enum.");
            names.Add(value.Model.Name);
        }
    }

    private void Declare(ParsedService service, Symbol parent, string scope)
    {
        if (Add(service, service.Model, parent, scope, SymbolKind.Service) is not { } symbol) return;
        foreach (var method in service.Methods) Add(method, method.Model, symbol, service.Model.FullName, SymbolKind.Member);
    }

    private Symbol? Add(ParsedNode node, ProtoElement element, Symbol parent, string scope, SymbolKind kind)
    {
        int length = scope.Length == 0 ? element.Name.Length : scope.Length + 1 + element.Name.Length;
        if (length > ProtoLimits.FullNameLength)
        {
            node.File.Faults.Error(element.Position, $"The full name has {length} characters; allowed are {ProtoLimits.FullNameLength}.");
            return null;
        }

        element.FullName = scope.Length == 0 ? element.Name : $"{scope}.{element.Name}";
        if (parent.Find(element.Name) is { } other)
        {
            node.File.Faults.Error(element.Position, $"The name '{element.FullName}' is already used: {Describe(other)} has it.");
            return null;
        }

        var symbol = parent.Add(element.Name, kind, node);
        scopes[node] = symbol;
        return symbol;
    }

    private static string Describe(Symbol symbol)
    {
        if (symbol.Node is not { } node) return "a package";
        var what = node switch
        {
            ParsedMessage { Model.IsMapEntry: true } => "the entry of a map",
            ParsedMessage => "a message",
            ParsedEnum => "an enum",
            ParsedEnumValue => "a value of an enum",
            ParsedService => "a service",
            ParsedMethod => "a method",
            ParsedOneof => "a oneof",
            _ => "a field",
        };
        return FormattableString.Invariant($"{what} in {node.File.Model.Name}, line {node.Position.Line},");
    }
}
