using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Finds the types that fields, extensions and methods name.</summary>
internal sealed class TypeLinker(ParsedFile file, NameResolver names, Dictionary<ParsedNode, Symbol> scopes)
{
    public void Link()
    {
        foreach (var node in NodeWalk.All(file))
        {
            if (node is ParsedField field) Link(field);
            else if (node is ParsedMethod method) Link(method);
        }
    }

    private void Link(ParsedField field)
    {
        if (ScopeOf(field) is not { } scope) return;
        if (field.IsExtension)
        {
            field.ExtendedMessage = FindMessage(field.Extended.Text, field.Extended.Position, scope);
        }

        if (field.IsKindOpen) LinkType(field, scope);
        else if (field.Message is { } message) (field.Model.Message, field.Model.TypeName) = (message.Model, message.Model.FullName);
    }

    private void LinkType(ParsedField field, Symbol scope)
    {
        var model = field.Model;
        var symbol = names.Find(model.TypeName!, scope, needsType: true, out var hidden);
        switch (symbol?.Node)
        {
            case ParsedMessage message:
                (field.Message, model.Message, model.TypeName, model.Kind) = (message, message.Model, message.Model.FullName, FieldKind.Message);
                break;
            case ParsedEnum type:
                (field.Enum, model.Enum, model.TypeName, model.Kind) = (type, type.Model, type.Model.FullName, FieldKind.Enum);
                break;
            default:
                file.Faults.Error(field.TypePosition, Missing(model.TypeName!, "a message or an enum", symbol, hidden));
                break;
        }
    }

    private void Link(ParsedMethod method)
    {
        if (ScopeOf(method) is not { } scope) return;
        var model = method.Model;
        if (FindMessage(model.RequestName, method.RequestPosition, scope) is { } request)
            (model.Request, model.RequestName) = (request.Model, request.Model.FullName);
        if (FindMessage(model.ResponseName, method.ResponsePosition, scope) is { } response)
            (model.Response, model.ResponseName) = (response.Model, response.Model.FullName);
    }

    // Null if its name is used twice, which has been reported.
    private Symbol? ScopeOf(ParsedNode node) => scopes.TryGetValue(node, out var symbol) ? symbol.Parent : null;

    private ParsedMessage? FindMessage(string name, ProtoPosition position, Symbol scope)
    {
        var symbol = names.Find(name, scope, needsType: false, out var hidden);
        if (symbol?.Node is ParsedMessage message) return message;
        file.Faults.Error(position, Missing(name, "a message", symbol, hidden));
        return null;
    }

    private static string Missing(string name, string what, Symbol? found, ParsedFile? hidden)
    {
        if (found is not null) return $"'{name}' is not {what}.";
        return hidden is null
            ? $"'{name}' is not declared: expected {what} of this file or of one that it imports."
            : $"'{name}' is declared in {hidden.Model.Name}, which is not imported.";
    }
}
