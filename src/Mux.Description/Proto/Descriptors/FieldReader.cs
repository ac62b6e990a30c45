using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Reads fields.</summary>
internal sealed class FieldReader(NameTable names)
{
    private readonly List<(ProtoMessage Message, ProtoField Field, string Reference, bool IsDelimited)> _references = [];

    /// <param name="bytes">The FieldDescriptorProto.</param>
    /// <param name="message">Its message.</param>
    /// <param name="oneofs">Oneofs of the message, with the features there.</param>
    /// <param name="around">What holds in the message.</param>
    public ProtoField Read(ReadOnlySpan<byte> bytes, ProtoMessage message, List<(ProtoOneof Oneof, FeatureSet Features)> oneofs, Surroundings around)
    {
        var place = around.Place;
        names.CountMember(place);
        var field = new ProtoField();
        var reference = string.Empty;
        int label = 1, kind = 0, oneof = -1;
        bool isOptional = false, hasOptions = false;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 1: field.Name = reader.Text(); break;
                case 3: field.Number = reader.Int32(); break;
                case 4: label = reader.Int32(); break;
                case 5: kind = reader.Int32(); break;
                case 6: reference = reader.Text(); break;
                case 7: field.Default = reader.Text(); break;
                case 8: hasOptions = true; break;
                case 9: oneof = reader.Int32(); break;
                case 10: field.JsonName = reader.Text(); break;
                case 17: isOptional = reader.Flag(); break;
            }
        }

        CheckField(field, label, kind, place);
        bool hasOneof = oneof != -1;
        if (hasOneof && (oneof < 0 || oneof >= oneofs.Count)) DescriptionFault.Throw(place, $"has the field '{field.Name}' in oneof {oneof} of {oneofs.Count}");
        if (hasOneof && !isOptional) field.Oneof = oneofs[oneof].Oneof;

        var features = field.Oneof is null ? around.Features : oneofs[oneof].Features;
        bool? packed = null;
        if (hasOptions) (features, packed) = ReadOptions(bytes, field, features, around);
        bool isMessage = kind is (int)FieldKind.Group or (int)FieldKind.Message;
        field.FullName = NameTable.Join(message.FullName, field.Name);
        if (field.JsonName.Length == 0) field.JsonName = NameRules.JsonName(field.Name);
        field.Kind = (FieldKind)kind;
        field.IsRepeated = label == 3;
        field.IsRequired = label == 2 || (features.Presence == FeatureSet.Required && !field.IsRepeated && !hasOneof);
        field.IsPacked = field.IsRepeated && (packed ?? features.IsPacked) && IsPackable(field.Kind);
        field.HasPresence = !field.IsRepeated && (isMessage || hasOneof || field.IsRequired || features.Presence == FeatureSet.Explicit);
        if (isMessage || kind == (int)FieldKind.Enum) _references.Add((message, field, reference, features.IsDelimited));
        if (!isMessage) field.FitBits();
        DefaultRules.Check(field, place);
        return field;
    }

    /// <summary>Finds the types of all fields.</summary>
    public void Resolve()
    {
        foreach (var (message, field, reference, isDelimited) in _references)
        {
            var place = $"the message '{message.FullName}' with the field '{field.Name}'";
            if (field.Kind == FieldKind.Enum)
            {
                field.Enum = names.Enum(reference, place);
                field.TypeName = field.Enum.FullName;
                continue;
            }

            field.Message = names.Message(reference, place);
            field.TypeName = field.Message.FullName;
            bool isOwn = field.TypeName == NameTable.Join(message.FullName, field.Message.Name);
            if (field.Message.IsMapEntry && (!field.IsRepeated || field.Kind == FieldKind.Group || !isOwn))
                DescriptionFault.Throw(place, "is no list of the entries of a map, which its type must be for, or the entry is declared elsewhere");
            field.FitBits();
            if (isDelimited && !field.Message.IsMapEntry && !message.IsMapEntry) field.Kind = FieldKind.Group;
        }
    }

    /// <summary>True if items of a kind have a form as one block.</summary>
    public static bool IsPackable(FieldKind kind) => kind is not (FieldKind.String or FieldKind.Bytes or FieldKind.Group or FieldKind.Message);

    /// <summary>Gets the number of bits that an option of Mux has; 0 for one that no integer of C# has.</summary>
    public static int BitsOf(long option) => option is 8 or 16 ? (int)option : 0;

    private static void CheckField(ProtoField field, int label, int kind, string place)
    {
        NameRules.CheckWord(field.Name, place);
        if (field.Number is < 1 or > DescriptionLimits.FieldNumber)
            DescriptionFault.Throw(place, $"has the field '{field.Name}' with number {field.Number}; allowed are 1 to {DescriptionLimits.FieldNumber}");
        if (kind is < 1 or > 18) DescriptionFault.Throw(place, $"has the field '{field.Name}' of type {kind}; allowed are 1 to 18");
        if (label is < 1 or > 3) DescriptionFault.Throw(place, $"has the field '{field.Name}' with label {label}; allowed are 1 to 3");
        if (field.JsonName.Length > DescriptionLimits.NameLength)
        {
            DescriptionFault.Throw(
                place, $"has the field '{field.Name}' with a JSON name of {field.JsonName.Length} characters; allowed are {DescriptionLimits.NameLength}");
        }
    }

    private static (FeatureSet Features, bool? Packed) ReadOptions(ReadOnlySpan<byte> bytes, ProtoField field, FeatureSet features, Surroundings around)
    {
        bool? packed = null;
        var place = around.Place;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field != 8) continue;
            var options = new WireReader(reader.Content(), place);
            while (options.Read())
            {
                if (options.Field == 2) packed = options.Flag();
                else if (options.Field == 3) field.IsDeprecated = options.Flag();
                else if (options.Field == FeatureSet.OfField) features = features.With(options.Content(), place);
                else if (around.HasOptions && options.Field == OptionsReader.Extension) ReadOwn(options.Content(), field, place);
            }
        }

        return (features, packed);
    }

    private static void ReadOwn(ReadOnlySpan<byte> bytes, ProtoField field, string place)
    {
        var own = new WireReader(bytes, place);
        while (own.Read())
        {
            switch (own.Field)
            {
                case 1: field.Bits = BitsOf(own.Int32()); break;
                case 2: field.KeyBits = BitsOf(own.Int32()); break;
                case 3: field.Absent = own.Text(); break;
            }
        }
    }
}
