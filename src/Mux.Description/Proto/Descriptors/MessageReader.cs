using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Reads messages.</summary>
internal sealed class MessageReader(ProtoSet set, NameTable names)
{
    private readonly FieldReader _fields = new(names);
    private readonly Dictionary<ProtoMessage, List<ProtoOneof>> _oneofs = [];
    private readonly HashSet<int> _numbers = [];
    private readonly HashSet<string> _fieldNames = new(StringComparer.Ordinal);

    /// <param name="bytes">The DescriptorProto.</param>
    /// <param name="scope">Package and messages around it.</param>
    /// <param name="around">What holds there.</param>
    /// <param name="depth">Number of messages around it, and itself.</param>
    public ProtoMessage Read(ReadOnlySpan<byte> bytes, string scope, Surroundings around, int depth)
    {
        if (depth > DescriptionLimits.Depth) DescriptionFault.Throw(around.Place, $"has messages in messages more than {DescriptionLimits.Depth} deep");
        var message = new ProtoMessage();
        var oneofs = new List<(ProtoOneof, FeatureSet)>();
        var features = ReadHeader(bytes, message, oneofs, around);
        message.FullName = names.Declare(scope, message.Name, around.Place);
        set.Messages.Add(message.FullName, message);
        var place = $"the message '{message.FullName}'";
        ReadMembers(bytes, message, oneofs, around with { Features = features, Place = place }, depth);
        CheckFields(message, place);
        if (oneofs.Count == 0) return message;
        var used = new HashSet<ProtoOneof>(message.Fields.Select(static field => field.Oneof).OfType<ProtoOneof>());
        message.Oneofs.AddRange(oneofs.Select(static oneof => oneof.Item1).Where(used.Contains));
        if (message.Oneofs.Count > 0) _oneofs.Add(message, oneofs.ConvertAll(static oneof => oneof.Item1));
        return message;
    }

    /// <inheritdoc cref="EnumReader.Read"/>
    public ProtoEnum ReadEnum(ReadOnlySpan<byte> bytes, string scope, FeatureSet features, string place)
    {
        var found = EnumReader.Read(bytes, scope, names, features, place);
        set.Enums.Add(found.FullName, found);
        return found;
    }

    /// <summary>Gets the oneofs of a message as its descriptor has them: with those of optional fields.</summary>
    public List<ProtoOneof> OneofsOf(ProtoMessage message) => _oneofs.TryGetValue(message, out var oneofs) ? oneofs : message.Oneofs;

    /// <summary>Finds the types of all fields.</summary>
    public void Resolve() => _fields.Resolve();

    // Names, options and oneofs may follow the fields, which depend on them.
    private FeatureSet ReadHeader(
        ReadOnlySpan<byte> bytes, ProtoMessage message, List<(ProtoOneof, FeatureSet)> oneofs, Surroundings around)
    {
        var features = around.Features;
        bool hasOneofs = false;
        var reader = new WireReader(bytes, around.Place);
        while (reader.Read())
        {
            if (reader.Field == 1) message.Name = reader.Text();
            hasOneofs |= reader.Field == 8;
            if (reader.Field != 7) continue;
            var options = new WireReader(reader.Content(), around.Place);
            while (options.Read())
            {
                if (options.Field == 3) message.IsDeprecated = options.Flag();
                else if (options.Field == 7) message.IsMapEntry = options.Flag();
                else if (options.Field == FeatureSet.OfMessage) features = features.With(options.Content(), around.Place);
            }
        }

        if (!hasOneofs) return features;
        reader = new WireReader(bytes, around.Place);
        while (reader.Read())
        {
            if (reader.Field != 8) continue;
            names.CountMember(around.Place);
            oneofs.Add(ReadOneof(reader.Content(), features, around.Place));
        }

        return features;
    }

    private static (ProtoOneof, FeatureSet) ReadOneof(ReadOnlySpan<byte> bytes, FeatureSet features, string place)
    {
        var oneof = new ProtoOneof();
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == 1) oneof.Name = NameRules.CheckWord(reader.Text(), place);
            if (reader.Field != 2) continue;
            var options = new WireReader(reader.Content(), place);
            while (options.Read())
            {
                if (options.Field == FeatureSet.OfOneof) features = features.With(options.Content(), place);
            }
        }

        NameRules.CheckWord(oneof.Name, place);
        return (oneof, features);
    }

    private void ReadMembers(ReadOnlySpan<byte> bytes, ProtoMessage message, List<(ProtoOneof, FeatureSet)> oneofs, Surroundings around, int depth)
    {
        foreach (var (oneof, _) in oneofs) oneof.FullName = NameTable.Join(message.FullName, oneof.Name);
        var reader = new WireReader(bytes, around.Place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 2: message.Fields.Add(_fields.Read(reader.Content(), message, oneofs, around)); break;
                case 3: message.Messages.Add(Read(reader.Content(), message.FullName, around, depth + 1)); break;
                case 4: message.Enums.Add(ReadEnum(reader.Content(), message.FullName, around.Features, around.Place)); break;
                case 5: message.Extensions.Add(EnumReader.ReadRange(reader.Content(), names, isEndIncluded: false, around.Place)); break;
                case 9: message.Reserved.Add(EnumReader.ReadRange(reader.Content(), names, isEndIncluded: false, around.Place)); break;
                case 10: message.ReservedNames.Add(EnumReader.ReadReservedName(reader.Text(), names, around.Place)); break;
            }
        }
    }

    private void CheckFields(ProtoMessage message, string place)
    {
        if (message.Fields.Count > DescriptionLimits.Fields)
            DescriptionFault.Throw(place, $"has {message.Fields.Count} fields; allowed are {DescriptionLimits.Fields}");
        _numbers.Clear();
        _fieldNames.Clear();
        foreach (var field in message.Fields)
        {
            if (!_numbers.Add(field.Number) || !_fieldNames.Add(field.Name))
                DescriptionFault.Throw(place, $"has field {field.Number} '{field.Name}', but its number or name twice");
        }

        if (!message.IsMapEntry) return;
        if (message.Fields.Count != 2 || message.Fields.Exists(static field => field.Number is not (1 or 2) || field.IsRepeated))
            DescriptionFault.Throw(place, "is the entry of a map, but has other fields than 1 and 2");
        var key = message.Fields.Find(static field => field.Number == 1)!.Kind;
        if (key is FieldKind.Float or FieldKind.Double or FieldKind.Bytes or FieldKind.Enum or FieldKind.Message or FieldKind.Group)
            DescriptionFault.Throw(place, $"is the entry of a map with a key of type {key}; allowed are integers, bool and string");
    }
}
