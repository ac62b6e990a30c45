using Mux.Description.Reading;

namespace Mux.Description.Proto.Printing;

/// <summary>Writes messages. Entries of maps and groups of proto2 are written with the field that they belong to.</summary>
internal sealed class MessagePrinter(ProtoText text, NameScope names, ProtoSyntax syntax)
{
    private readonly FieldPrinter _fields = new(names, syntax);

    public void Print(ProtoMessage message) =>
        text.Gap().Comment(message.Comment).Block($"message {message.Name}", () => PrintContent(message));

    private void PrintContent(ProtoMessage message)
    {
        bool isEdition = syntax == ProtoSyntax.Edition2023;
        if (message.IsDeprecated) text.Line("option deprecated = true;");
        var conflicts = isEdition ? "features.json_format = LEGACY_BEST_EFFORT" : "deprecated_legacy_json_field_conflicts = true";
        if (HasEqualJsonNames(message)) text.Line($"option {conflicts};");
        if (message.Reserved.Count > 0) text.Line($"reserved {ProtoLiteral.Ranges(message.Reserved, DescriptionLimits.FieldNumber)};");
        if (ProtoLiteral.Names(message.ReservedNames, isEdition) is { Length: > 0 } reserved) text.Line($"reserved {reserved};");
        var extensions = message.Extensions.FindAll(static range => range.First <= DescriptionLimits.FieldNumber)
            .ConvertAll(static range => new ProtoRange(range.First, Math.Min(range.Last, DescriptionLimits.FieldNumber))); // more have message sets only
        if (extensions.Count > 0) text.Line($"extensions {ProtoLiteral.Ranges(extensions, DescriptionLimits.FieldNumber)};");

        var groups = syntax == ProtoSyntax.Proto2 ? GroupForm.Of(message) : [];
        var oneofs = message.Fields.Where(static field => field.Oneof is not null).ToLookup(static field => field.Oneof);
        var printed = new HashSet<ProtoOneof>();
        foreach (var field in message.Fields)
        {
            if (field.Oneof is null) Print(field, message, groups);
            else if (printed.Add(field.Oneof)) Print(field.Oneof, oneofs[field.Oneof], message, groups);
        }

        foreach (var nested in message.Messages)
        {
            if (!nested.IsMapEntry && !groups.Contains(nested)) Print(nested);
        }

        foreach (var declared in message.Enums) EnumPrinter.Print(text, declared, syntax);
    }

    // Compilers refuse such fields without an option, which the model does not keep. Those of proto2 warn.
    private bool HasEqualJsonNames(ProtoMessage message)
    {
        if (syntax == ProtoSyntax.Proto2) return false;
        var derived = new HashSet<string>(StringComparer.Ordinal);
        return message.Fields.Exists(field => !derived.Add(NameRules.JsonName(field.Name)));
    }

    private void Print(ProtoOneof oneof, IEnumerable<ProtoField> fields, ProtoMessage message, HashSet<ProtoMessage> groups) =>
        text.Gap().Comment(oneof.Comment).Block($"oneof {oneof.Name}", () =>
        {
            foreach (var field in fields) Print(field, message, groups);
        });

    private void Print(ProtoField field, ProtoMessage message, HashSet<ProtoMessage> groups)
    {
        text.Comment(field.Comment);
        if (field.Kind == FieldKind.Group && groups.Contains(field.Message!)) text.Block(_fields.Group(field, message), () => PrintContent(field.Message!));
        else text.Line(_fields.Field(field, message));
    }
}
