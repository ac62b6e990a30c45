using System.Runtime.Serialization;

namespace MuxApp._1;

/// <summary>Members are sent by their numbers: new ones get new numbers, and numbers are never used again.</summary>
[DataContract]
public sealed class GreetingRequest
{
    /// <summary>Null if the peer has sent none.</summary>
    [DataMember(Order = 1)]
    public string? Name { get; set; }
}
