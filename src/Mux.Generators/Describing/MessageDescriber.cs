using Mux.Description.Proto.Descriptors;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Protobuf;

namespace Mux.Generators.Describing;

/// <summary>Describes one message as DescriptorProto, with the messages that the generator wraps around its values nested in it.</summary>
/// <param name="answers">Names of other messages.</param>
/// <param name="isProto2">True if the message is in a proto2 file.</param>
internal sealed class MessageDescriber(GraphAnswers answers, bool isProto2)
{
    private const string Subtype = "subtype";

    private readonly List<string> _codecs = [];
    private readonly List<EnumModel> _enums = [];

    /// <summary>Describes a message of a user's type.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="isProto2">True if it is in a proto2 file.</param>
    /// <param name="message">The message.</param>
    /// <param name="answers">Names of other messages.</param>
    public static DescriptionModel Describe(ProtoName name, bool isProto2, MessageModel message, GraphAnswers answers)
    {
        if (name.IsImported) return DescriptionModel.Of(name);
        var describer = new MessageDescriber(answers, isProto2);
        var descriptor = describer.Describe(name.Name, name.Reference, message.Members, message.Includes, message.Reserved);
        describer._codecs.RemoveAll(codec => codec == message.Codec);
        return describer.ToModel([PartModel.Message(name.Package, isProto2, descriptor)]);
    }

    /// <summary>Completes the description of parts that this object described.</summary>
    public DescriptionModel ToModel(IEnumerable<PartModel> parts) =>
        new(new([.. parts, .. _enums.Distinct().Select(PartModel.Enum)]), new([.. _codecs.Distinct(StringComparer.Ordinal)]));

    /// <summary>Gets the type of a message, and remembers that it is named.</summary>
    public ProtoType TypeOf(string codec, bool isGroup)
    {
        var message = answers.Written(codec);
        _codecs.Add(message.Codec);
        return ProtoType.OfMessage(message.Name.Reference, isGroup);
    }

    /// <param name="name">Name of the message.</param>
    /// <param name="scope">Its name with the names around it, as fields refer to it.</param>
    /// <param name="members">Its members.</param>
    /// <param name="includes">Parts of derived classes.</param>
    /// <param name="reserved">What its fields may not have.</param>
    /// <param name="isMap">True for the entry of a map, whose fields have no presence.</param>
    public WireWriter Describe(
        string name, string scope, IEnumerable<MemberModel> members, IEnumerable<IncludeModel> includes, EquatableArray<ReservedModel> reserved = default,
        bool isMap = false)
    {
        var names = new FieldNames();
        var nested = new List<WireWriter>();
        var fields = new List<FieldBuilder>();
        foreach (var member in members) fields.Add(Describe(member, names.Take(member.Name, member.Number), scope, nested, isMap));
        foreach (var include in includes) fields.Add(Describe(include, names.Take(include.Name, include.Number)));
        fields.Sort(static (left, right) => left.Number.CompareTo(right.Number));

        var descriptor = new WireWriter().Text(1, name);
        var oneofs = new List<string>();
        if (fields.Exists(static field => field.IsChoice)) oneofs.Add(names.Take(Subtype, 0));
        foreach (var field in fields)
        {
            int? oneof = field.IsChoice ? 0 : null;
            if (field.IsOptional && !isMap)
            {
                oneof = oneofs.Count;
                oneofs.Add("_" + field.Name);
            }

            descriptor.Message(2, field.Describe(oneof));
        }

        foreach (var type in nested) descriptor.Message(3, type);
        foreach (var oneof in oneofs) descriptor.Message(8, new WireWriter().Text(1, oneof));
        ReservedDescriber.Describe(descriptor, reserved, fields);
        return descriptor;
    }

    private FieldBuilder Describe(IncludeModel include, string name)
    {
        var part = answers.Part(include.Codec);
        _codecs.Add(part.Codec);
        return new FieldBuilder(name, include.Number, ProtoType.OfMessage(part.Name.Reference, include.IsGroup)) { IsChoice = true };
    }

    private FieldBuilder Describe(MemberModel member, string name, string scope, List<WireWriter> nested, bool isInMap)
    {
        var type = TypeOf(member.Value, name, scope, nested);
        bool isPacked = member.IsPacked && type.IsPackable;
        bool isPresence = member is { IsRepeated: false, Value: not EnvelopeModel } && !type.IsMessage;
        var map = member.Value is EnvelopeModel envelope && IsMap(envelope) ? envelope.Message : null;
        return new FieldBuilder(name, member.Number, type)
        {
            // The entry of a map has no text of its own, so the field of the map has its options.
            Bits = isInMap ? 0 : BitsOf(map?.Members[1].Value ?? member.Value),
            KeyBits = map is null ? 0 : BitsOf(map.Members[0].Value),
            Absent = isPresence ? InitialText.Of(member) : null,
            IsRepeated = member.IsRepeated,
            IsOptional = isPresence && !isProto2 && (member.IsOptional || member.Container == Container.Nullable || member.Condition is not null),
            IsPacked = member.IsRepeated && type.IsPackable && isPacked == isProto2 ? isPacked : null,
            Default = isProto2 && isPresence ? DefaultText.Of(member) : null,
        };
    }

    private static int BitsOf(ValueModel value)
    {
        while (value is ConvertedModel converted) value = converted.Surrogate;
        return value is not ScalarModel { Enum: null } scalar ? 0 : scalar.Scalar switch
        {
            ScalarType.SByte or ScalarType.Byte => 8,
            ScalarType.Int16 or ScalarType.UInt16 or ScalarType.Char => 16,
            _ => 0,
        };
    }

    private ProtoType TypeOf(ValueModel value, string field, string scope, List<WireWriter> nested)
    {
        while (value is ConvertedModel converted) value = converted.Surrogate;
        if (value is ScalarModel { Enum: { Name.IsImported: true } imported }) _codecs.AddRange(DescriptionModel.Of(imported.Name).Codecs);
        else if (value is ScalarModel { Enum: { } named }) _enums.Add(named);
        return value switch
        {
            ScalarModel scalar => ProtoType.Of(scalar),
            FrameworkModel framework => ProtoType.Of(framework),
            BytesModel => ProtoType.Bytes,
            NestedModel message => TypeOf(message.Codec, message.IsGroup),
            EnvelopeModel envelope => TypeOf(envelope, ProtoNames.ToType(field) + envelope.Form, scope, nested),
            _ => ProtoType.Text,
        };
    }

    private ProtoType TypeOf(EnvelopeModel envelope, string name, string scope, List<WireWriter> nested)
    {
        var inner = $"{scope}.{name}";
        bool isMap = IsMap(envelope);
        var descriptor = Describe(name, inner, envelope.Message.Members, [], isMap: isMap);
        if (isMap) descriptor.Message(7, new WireWriter().Flag(7, true));
        nested.Add(descriptor);
        return ProtoType.OfMessage(inner, envelope.IsGroup);
    }

    // Other entries are ordinary messages, with the same bytes.
    private static bool IsMap(EnvelopeModel envelope)
    {
        if (envelope is not { Form: EnvelopeForm.Entry, IsGroup: false }) return false;
        var (key, value) = (envelope.Message.Members[0], envelope.Message.Members[1]);
        bool isKey = key.Value is TextModel || (key.Value is ScalarModel scalar && ProtoType.Of(scalar).IsKey)
            || (key.Value is FrameworkModel { WireType: WireType.Bytes } text && ProtoType.Of(text).IsKey);
        return isKey && value is { IsRepeated: false, Value: not EnvelopeModel } && value.Value.WireType != WireType.StartGroup;
    }
}
