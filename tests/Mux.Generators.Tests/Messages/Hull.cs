using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>Numbers that take 128 bytes at most: one more than a length of one byte says.</summary>
[DataContract]
public sealed class Hull
{
    [DataMember(Order = 1)]
    public long Long1 { get; set; }

    [DataMember(Order = 2)]
    public long Long2 { get; set; }

    [DataMember(Order = 3)]
    public long Long3 { get; set; }

    [DataMember(Order = 4)]
    public long Long4 { get; set; }

    [DataMember(Order = 5)]
    public long Long5 { get; set; }

    [DataMember(Order = 6)]
    public long Long6 { get; set; }

    [DataMember(Order = 7)]
    public long Long7 { get; set; }

    [DataMember(Order = 8)]
    public long Long8 { get; set; }

    [DataMember(Order = 9)]
    public long Long9 { get; set; }

    [DataMember(Order = 10)]
    public long Long10 { get; set; }

    [DataMember(Order = 11)]
    public double Double1 { get; set; }

    [DataMember(Order = 12)]
    public double Double2 { get; set; }

    /// <summary>One that takes all of it.</summary>
    public static Hull Longest() => new()
    {
        Long1 = -1,
        Long2 = -1,
        Long3 = -1,
        Long4 = -1,
        Long5 = -1,
        Long6 = -1,
        Long7 = -1,
        Long8 = -1,
        Long9 = -1,
        Long10 = -1,
        Double1 = 0.5,
        Double2 = 0.5,
    };
}
