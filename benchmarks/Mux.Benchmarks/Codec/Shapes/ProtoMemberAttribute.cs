namespace ProtoBuf;

/// <summary>As protobuf-net declares it, with the one option that data contracts cannot express.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class ProtoMemberAttribute(int tag) : Attribute
{
    public int Tag => tag;

    public bool IsPacked { get; set; }
}
