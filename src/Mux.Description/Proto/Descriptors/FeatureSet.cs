using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>The features of editions that bytes depend on, as they hold at one place. Older languages are editions with fixed features.</summary>
internal readonly record struct FeatureSet(int Presence, bool IsClosed, bool IsPacked, bool IsDelimited)
{
    /// <summary>Fields in descriptors, and the values of the features.</summary>
    public const int PresenceField = 1, EnumField = 2, RepeatedField = 3, MessageField = 5;
    public const int Explicit = 1, Implicit = 2, Required = 3;
    public const int Closed = 2, Expanded = 2, Delimited = 2;

    /// <summary>Fields for features in the options of files, messages, fields, oneofs and enums.</summary>
    public const int OfFile = 50, OfMessage = 12, OfField = 21, OfOneof = 1, OfEnum = 7;

    public static FeatureSet Of(ProtoSyntax syntax) => syntax switch
    {
        ProtoSyntax.Proto2 => new(Explicit, IsClosed: true, IsPacked: false, IsDelimited: false),
        ProtoSyntax.Proto3 => new(Implicit, IsClosed: false, IsPacked: true, IsDelimited: false),
        _ => new(Explicit, IsClosed: false, IsPacked: true, IsDelimited: false),
    };

    /// <summary>Gets the features at a place within this one.</summary>
    /// <param name="bytes">The FeatureSet of its options.</param>
    /// <param name="place">The place, for errors.</param>
    public FeatureSet With(ReadOnlySpan<byte> bytes, string place)
    {
        var features = this;
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case PresenceField:
                    features = features with { Presence = reader.Int32() };
                    if (features.Presence is < Explicit or > Required)
                        DescriptionFault.Throw(place, $"has the feature field_presence with value {features.Presence}; allowed are 1 to 3");
                    break;
                case EnumField: features = features with { IsClosed = ReadSecond(ref reader, "enum_type", place) }; break;
                case RepeatedField: features = features with { IsPacked = !ReadSecond(ref reader, "repeated_field_encoding", place) }; break;
                case MessageField: features = features with { IsDelimited = ReadSecond(ref reader, "message_encoding", place) }; break;
            }
        }

        return features;
    }

    private static bool ReadSecond(ref WireReader reader, string feature, string place)
    {
        int value = reader.Int32();
        if (value is not (1 or 2)) DescriptionFault.Throw(place, $"has the feature {feature} with value {value}; allowed are 1 and 2");
        return value == 2;
    }
}
