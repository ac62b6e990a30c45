namespace Mux.Description.Reading;

/// <summary>Reads messages and enums.</summary>
internal sealed class MessageReader(TypeTable types)
{
    private readonly List<(MessageType Message, Field Field, string Reference)> _references = [];

    /// <param name="bytes">The DescriptorProto.</param>
    /// <param name="scope">Package and messages around it.</param>
    /// <param name="isProto3">Syntax of the file.</param>
    /// <param name="place">The file, for errors.</param>
    /// <param name="depth">Number of messages around it, and itself.</param>
    public void Read(ReadOnlySpan<byte> bytes, string scope, bool isProto3, string place, int depth)
    {
        if (depth > DescriptionLimits.Depth) DescriptionFault.Throw(place, $"has messages in messages more than {DescriptionLimits.Depth} deep");
        var (name, oneofs) = ReadHeader(bytes, place);
        var fullName = types.Declare(scope, name, place);
        var message = new MessageType(fullName);
        types.Messages.Add(fullName, message);
        place = $"the message '{fullName}'";

        var fields = new List<Field>();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 2:
                    fields.Add(ReadField(reader.Content(), message, oneofs, isProto3, place));
                    break;
                case 3:
                    Read(reader.Content(), fullName, isProto3, place, depth + 1);
                    break;
                case 4:
                    ReadEnum(reader.Content(), fullName, place);
                    break;
                case 7:
                    message.IsMapEntry = ReadFlag(reader.Content(), 7, place) == true;
                    break;
            }
        }

        if (message.TrySetFields(fields) is { } taken) DescriptionFault.Throw(place, $"has field {taken.Number} '{taken.Name}', but its number or name twice");
        if (message.IsMapEntry && (message.Fields.Count != 2 || message.Find(1)?.IsRepeated != false || message.Find(2)?.IsRepeated != false))
            DescriptionFault.Throw(place, "is the entry of a map, but has other fields than 1 and 2");
    }

    /// <param name="bytes">The EnumDescriptorProto.</param>
    /// <param name="scope">Package and messages around it.</param>
    /// <param name="place">The file or message, for errors.</param>
    public void ReadEnum(ReadOnlySpan<byte> bytes, string scope, string place)
    {
        var fullName = types.Declare(scope, ReadHeader(bytes, place).Name, place);
        place = $"the enum '{fullName}'";
        var values = new List<KeyValuePair<string, int>>();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field != 2) continue;
            types.CountMember(place);
            var value = new WireReader(reader.Content(), place);
            string name = string.Empty;
            int number = 0;
            while (value.Read())
            {
                if (value.Field == 1) name = NameRules.CheckWord(value.Text(), place);
                else if (value.Field == 2) number = value.Int32();
            }

            values.Add(new(NameRules.CheckWord(name, place), number));
        }

        if (values.Count == 0) DescriptionFault.Throw(place, "has no values; allowed are 1 or more");
        types.Enums.Add(fullName, new EnumType(fullName, values));
    }

    /// <summary>Finds the types of all fields.</summary>
    public void Resolve()
    {
        foreach (var (message, field, reference) in _references)
        {
            var place = $"the message '{message}' with the field '{field.Name}'";
            if (field.Kind == FieldKind.Enum) field.Enum = types.Enum(reference, place);
            else field.Message = types.Message(reference, place);
        }
    }

    private static (string Name, List<string> Oneofs) ReadHeader(ReadOnlySpan<byte> bytes, string place)
    {
        var name = string.Empty;
        var oneofs = new List<string>();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) name = reader.Text();
            if (reader.Field != 8) continue;
            var oneof = new WireReader(reader.Content(), place);
            while (oneof.Read())
            {
                if (oneof.Field == 1) oneofs.Add(NameRules.CheckWord(oneof.Text(), place));
            }
        }

        return (name, oneofs);
    }

    private static bool? ReadFlag(ReadOnlySpan<byte> options, int field, string place)
    {
        bool? flag = null;
        var reader = new WireReader(options, place);
        while (reader.Read())
        {
            if (reader.Field == field) flag = reader.Flag();
        }

        return flag;
    }

    private Field ReadField(ReadOnlySpan<byte> bytes, MessageType message, List<string> oneofs, bool isProto3, string place)
    {
        types.CountMember(place);
        string name = string.Empty, reference = string.Empty;
        string? json = null, omitted = null;
        int number = 0, label = 1, kind = 0;
        int? oneof = null;
        bool? isPacked = null;
        bool isOptional = false;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: name = reader.Text(); break;
                case 3: number = reader.Int32(); break;
                case 4: label = reader.Int32(); break;
                case 5: kind = reader.Int32(); break;
                case 6: reference = reader.Text(); break;
                case 7: omitted = reader.Text(); break;
                case 8: isPacked = ReadFlag(reader.Content(), 2, place); break;
                case 9: oneof = reader.Int32(); break;
                case 10: json = reader.Text(); break;
                case 17: isOptional = reader.Flag(); break;
            }
        }

        NameRules.CheckWord(name, place);
        if (number is < 1 or > DescriptionLimits.FieldNumber)
            DescriptionFault.Throw(place, $"has the field '{name}' with number {number}; allowed are 1 to {DescriptionLimits.FieldNumber}");
        if (kind is < 1 or > 18) DescriptionFault.Throw(place, $"has the field '{name}' of type {kind}; allowed are 1 to 18");
        if (label is < 1 or > 3) DescriptionFault.Throw(place, $"has the field '{name}' with label {label}; allowed are 1 to 3");
        if (oneof < 0 || oneof >= oneofs.Count) DescriptionFault.Throw(place, $"has the field '{name}' in oneof {oneof} of {oneofs.Count}");
        if (json?.Length > DescriptionLimits.NameLength)
            DescriptionFault.Throw(place, $"has the field '{name}' with a JSON name of {json.Length} characters; allowed are {DescriptionLimits.NameLength}");

        bool isRepeated = label == 3;
        bool isMessage = kind is 10 or 11;
        var field = new Field(name, json is { Length: > 0 } ? json : NameRules.JsonName(name), number, (FieldKind)kind)
        {
            IsRepeated = isRepeated,
            IsPacked = isRepeated && (isPacked ?? isProto3) && !isMessage && kind is not (9 or 12),
            HasPresence = !isRepeated && (isMessage || !isProto3 || oneof is not null),
            Default = omitted,
            Oneof = oneof is { } index && !isOptional ? oneofs[index] : null,
        };
        if (isMessage || kind == 14) _references.Add((message, field, reference));
        return field;
    }
}
