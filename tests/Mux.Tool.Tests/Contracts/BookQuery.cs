using System.Runtime.Serialization;

namespace Mux.Tool.Tests.Contracts;

[DataContract]
public sealed class BookQuery
{
    [DataMember(Order = 1)]
    public int Number { get; set; }
}
