using System.Runtime.Serialization;

namespace Mux.Tests.Versions.Before;

[DataContract]
public sealed class Order
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? Customer { get; set; }

    [DataMember(Order = 3)]
    public string? Coupon { get; set; }

    [DataMember(Order = 4)]
    public int Quantity { get; set; }
}
