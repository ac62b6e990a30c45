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
        if (message.IsDeprecated) text.Line("option deprecated = true;");
        if (message.Reserved.Count > 0) text.Line($"reserved {ProtoLiteral.Ranges(message.Reserved, DescriptionLimits.FieldNumber)};");
        if (ProtoLiteral.Names(message.ReservedNames, syntax == ProtoSyntax.Edition2023) is { Length: > 0 } reserved) text.Line($"reserved {reserved};");
        if (message.Extensions.Count > 0) text.Line($"extensions {ProtoLiteral.Ranges(message.Extensions, DescriptionLimits.FieldNumber)};");

        var printed = new HashSet<ProtoOneof>();
        foreach (var field in message.Fields)
        {
            if (field.Oneof is null) Print(field, message);
            else if (printed.Add(field.Oneof)) Print(field.Oneof, message);
        }

        foreach (var nested in message.Messages)
        {
            if (!nested.IsMapEntry && !IsGroup(nested, message)) Print(nested);
        }

        foreach (var declared in message.Enums) EnumPrinter.Print(text, declared, syntax);
    }

    private void Print(ProtoOneof oneof, ProtoMessage message) => text.Gap().Comment(oneof.Comment).Block($"oneof {oneof.Name}", () =>
    {
        foreach (var field in message.Fields.Where(field => field.Oneof == oneof)) Print(field, message);
    });

    private void Print(ProtoField field, ProtoMessage message)
    {
        text.Comment(field.Comment);
        if (field.Message is { } group && IsGroup(group, message)) text.Block(_fields.Group(field), () => PrintContent(group));
        else text.Line(_fields.Field(field, message));
    }

    private bool IsGroup(ProtoMessage nested, ProtoMessage message) =>
        syntax == ProtoSyntax.Proto2 && message.Messages.Contains(nested) && GroupForm.Of(nested, message) is not null;
}
