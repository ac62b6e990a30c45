using ProtoBuf;

namespace Mux.Serialization.ProtobufNet.Tests.Differences;

/// <summary>Maps and lists whose values are in messages of their own, so that they can be null.</summary>
[ProtoContract]
public sealed class WrappedValues
{
    [ProtoMember(1), NullWrappedValue]
    public Dictionary<int, string?>? Texts { get; set; }

    [ProtoMember(2), NullWrappedValue(AsGroup = true)]
    public Dictionary<int, string?>? GroupedTexts { get; set; }

    [ProtoMember(3), NullWrappedValue]
    public Dictionary<int, byte[]?>? Bytes { get; set; }

    [ProtoMember(4), NullWrappedValue]
    public Dictionary<int, int?>? Numbers { get; set; }

    [ProtoMember(5), NullWrappedValue]
    public Dictionary<int, Guid?>? Ids { get; set; }

    [ProtoMember(6), NullWrappedValue]
    public Dictionary<int, DayOfWeek?>? Days { get; set; }

    [ProtoMember(7), NullWrappedCollection, NullWrappedValue]
    public Dictionary<int, string?>? WholeTexts { get; set; }

    [ProtoMember(8), NullWrappedCollection]
    public Dictionary<int, string?>? PlainTexts { get; set; }

    [ProtoMember(9), NullWrappedValue, ProtoMap(DisableMap = true)]
    public Dictionary<int, string?>? Pairs { get; set; }

    [ProtoMember(10), NullWrappedValue]
    public Dictionary<int, Segments?>? Messages { get; set; }

    [ProtoMember(11), NullWrappedValue]
    public List<byte[]?>? Items { get; set; }

    [ProtoMember(12), NullWrappedCollection, NullWrappedValue]
    public string?[]? WholeItems { get; set; }
}
