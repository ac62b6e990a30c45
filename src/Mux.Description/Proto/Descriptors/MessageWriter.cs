using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes messages.</summary>
internal static class MessageWriter
{
    private const int Optional = 1, Required = 2, Repeated = 3;

    public static WireWriter Write(ProtoMessage message, ProtoSyntax syntax)
    {
        var bytes = new WireWriter().Text(1, message.Name);
        var oneofs = message.Oneofs.ConvertAll(static oneof => oneof.Name);
        var indexes = new Dictionary<ProtoOneof, int>();
        foreach (var oneof in message.Oneofs) indexes.Add(oneof, indexes.Count);
        HashSet<string>? names = null;
        foreach (var field in message.Fields)
        {
            int oneof = field.Oneof is null ? -1 : indexes[field.Oneof];
            bool isOptional = oneof < 0 && syntax == ProtoSyntax.Proto3 && !message.IsMapEntry && field is { HasPresence: true, Message: null };
            if (isOptional)
            {
                oneof = oneofs.Count;
                oneofs.Add(FreeName(names ??= NamesIn(message), "_" + field.Name));
            }

            bytes.Message(2, Write(field, message, oneof, isOptional, syntax));
        }

        foreach (var nested in message.Messages) bytes.Message(3, Write(nested, syntax));
        foreach (var declared in message.Enums) bytes.Message(4, EnumWriter.Write(declared, syntax));
        foreach (var range in message.Extensions) bytes.Message(5, Range(range));
        bytes.Options(7, new WireWriter().Flag(3, message.IsDeprecated).Flag(7, message.IsMapEntry));
        foreach (var oneof in oneofs) bytes.Message(8, new WireWriter().Text(1, oneof));
        foreach (var range in message.Reserved) bytes.Message(9, Range(range));
        foreach (var name in message.ReservedNames) bytes.Text(10, name);
        return bytes;
    }

    private static WireWriter Write(ProtoField field, ProtoMessage message, int oneof, bool isOptional, ProtoSyntax syntax)
    {
        bool isEdition = syntax == ProtoSyntax.Edition2023;
        var kind = isEdition && field.Kind == FieldKind.Group ? FieldKind.Message : field.Kind;
        var bytes = new WireWriter().Text(1, field.Name).Number(3, field.Number)
            .Number(4, field.IsRepeated ? Repeated : field.IsRequired && !isEdition ? Required : Optional)
            .Number(5, (int)kind).Text(6, field.TypeName is null ? null : "." + field.TypeName).Text(7, field.Default);

        var options = new WireWriter();
        if (!isEdition && field.IsRepeated && FieldReader.IsPackable(field.Kind) && field.IsPacked != FeatureSet.Of(syntax).IsPacked)
            options.Number(2, field.IsPacked ? 1 : 0);
        options.Flag(3, field.IsDeprecated);
        if (isEdition) options.Options(FeatureSet.OfField, Features(field, message));
        var own = new WireWriter();
        // The options of a map say it of its entries.
        if (field.Bits != 0 && !message.IsMapEntry) own.Number(1, field.Bits);
        if (field.KeyBits != 0) own.Number(2, field.KeyBits);
        bytes.Options(8, options.Options(OptionsReader.Extension, own.Text(3, field.Absent)));
        if (oneof >= 0) bytes.Number(9, oneof);
        if (field.JsonName.Length > 0 && field.JsonName != NameRules.JsonName(field.Name)) bytes.Text(10, field.JsonName);
        return bytes.Flag(17, isOptional);
    }

    private static WireWriter Features(ProtoField field, ProtoMessage message)
    {
        var features = new WireWriter();
        if (field.IsRequired) features.Number(FeatureSet.PresenceField, FeatureSet.Required);
        else if (!field.IsRepeated && !field.HasPresence && !message.IsMapEntry) features.Number(FeatureSet.PresenceField, FeatureSet.Implicit);
        bool isExpanded = field is { IsRepeated: true, IsPacked: false } && FieldReader.IsPackable(field.Kind);
        if (isExpanded) features.Number(FeatureSet.RepeatedField, FeatureSet.Expanded);
        if (field.Kind == FieldKind.Group) features.Number(FeatureSet.MessageField, FeatureSet.Delimited);
        return features;
    }

    // As protoc: oneofs of optional fields differ from all other names.
    private static string FreeName(HashSet<string> names, string name)
    {
        while (names.Contains(name)) name = "X" + name;
        return name;
    }

    private static HashSet<string> NamesIn(ProtoMessage message)
    {
        var elements = message.Fields.Concat<ProtoElement>(message.Oneofs).Concat(message.Messages).Concat(message.Enums);
        return new(elements.Select(static element => element.Name), StringComparer.Ordinal);
    }

    private static WireWriter Range(ProtoRange range) => new WireWriter().Number(1, range.First).Number(2, range.Last + 1);
}
