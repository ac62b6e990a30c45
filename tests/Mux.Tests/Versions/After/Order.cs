using System.Runtime.Serialization;

namespace Mux.Tests.Versions.After;

/// <summary>Without a coupon, with a note and a discount, and of any number of things.</summary>
[DataContract]
public sealed class Order
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public string? Customer { get; set; }

    [DataMember(Order = 4)]
    public long Quantity { get; set; }

    [DataMember(Order = 5)]
    public string Note { get; set; } = "none";

    [DataMember(Order = 6)]
    public double? Discount { get; set; }
}
