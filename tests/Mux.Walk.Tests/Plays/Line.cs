using System.Runtime.Serialization;

namespace Mux.Walk.Tests.Plays;

/// <summary>A message as most are: a number and a text.</summary>
[DataContract]
public sealed class Line
{
    [DataMember(Order = 1)]
    public int Number { get; set; }

    [DataMember(Order = 2)]
    public string? Text { get; set; }
}
