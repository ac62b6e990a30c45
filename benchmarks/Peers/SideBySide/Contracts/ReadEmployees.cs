using System.Runtime.Serialization;
using Nerdbank.MessagePack;

namespace SideBySide.Contracts;

/// <summary>Asks for a stream of employees with the numbers <see cref="First"/>, <see cref="First"/> + 1 and so on.</summary>
[DataContract]
public sealed class ReadEmployees
{
    [DataMember(Order = 1), Key(0)]
    public long First { get; set; }

    [DataMember(Order = 2), Key(1)]
    public int Count { get; set; }
}
