using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Its callbacks change it: what is written and read is what they make of it.</summary>
[ProtoContract]
public struct TracedStruct
{
    [ProtoMember(1)]
    public int Id { get; set; }

    [ProtoBeforeSerialization]
    private void BeforeWriting() => Id += 1;

    // On purpose.
#pragma warning disable MUX0050
    [ProtoBeforeDeserialization]
    private void BeforeReading() => Id = 7;
#pragma warning restore MUX0050

    [ProtoAfterDeserialization]
    public void AfterReading() => Id += 100;
}
