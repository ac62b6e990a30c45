using System.Runtime.Serialization;

namespace Mux.Tests.Contracts;

/// <summary>What comes with a failure.</summary>
[DataContract]
public sealed class Blame
{
    [DataMember(Order = 1)]
    public int Id { get; set; }
}
