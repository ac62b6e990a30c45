using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>A text of 300 characters.</summary>
[DataContract]
public sealed class Note
{
    [DataMember(Order = 1)]
    public long Id { get; set; }

    [DataMember(Order = 2)]
    public string? Text { get; set; }

    public static Note Example() => new() { Id = 70_000, Text = string.Concat(Enumerable.Repeat("0123456789", 30)) };
}
