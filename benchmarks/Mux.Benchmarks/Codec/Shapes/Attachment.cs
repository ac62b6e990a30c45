using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>64 KiB of bytes.</summary>
[DataContract]
public sealed class Attachment
{
    private const int Seed = 20_261_122;
    private const int Length = 64 * 1024;

    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public byte[]? Content { get; set; }

    public static Attachment Example()
    {
        var content = new byte[Length];
        new Random(Seed).NextBytes(content);
        return new() { Id = 7, Content = content };
    }
}
