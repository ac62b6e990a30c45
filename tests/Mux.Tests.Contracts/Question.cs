using System.Runtime.Serialization;

namespace Mux.Tests.Contracts;

[DataContract]
public sealed class Question
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? Text { get; set; }

    [DataMember(Order = 3)]
    public byte[]? Bytes { get; set; }

    /// <summary>A null item cannot be encoded.</summary>
    [DataMember(Order = 4)]
    public List<string?>? Names { get; set; }
}
