using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>Numbers that take 127 bytes at most: the length of one is always one byte.</summary>
[DataContract]
public sealed class Kernel
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
    public bool Flag1 { get; set; }

    [DataMember(Order = 13)]
    public bool Flag2 { get; set; }

    [DataMember(Order = 14)]
    public bool Flag3 { get; set; }

    [DataMember(Order = 15)]
    public bool Flag4 { get; set; }

    /// <summary>One that takes all of it.</summary>
    public static Kernel Longest() => new()
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
        Flag1 = true,
        Flag2 = true,
        Flag3 = true,
        Flag4 = true,
    };
}
