using System.Runtime.Serialization;

namespace SideBySide.Contracts;

/// <summary>Bytes for protobuf-net.Grpc, whose methods take messages only.</summary>
[DataContract]
public sealed class Payload
{
    [DataMember(Order = 1)]
    public byte[]? Content { get; set; }
}
