using System.Runtime.Serialization;

namespace Orders;

[DataContract]
public sealed class Order
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? Customer { get; set; }
}
