using System.Runtime.Serialization;

namespace Mux.Tests.EndToEnd;

/// <summary>A detail of any size.</summary>
[DataContract]
public sealed class Evidence
{
    [DataMember(Order = 1)]
    public byte[]? Bytes { get; set; }
}
