using System.ComponentModel.DataAnnotations;
using System.Runtime.Serialization;

namespace Mux.Tests.Filters;

/// <summary>A request with rules.</summary>
[DataContract]
public sealed class PlacedOrder
{
    [DataMember(Order = 1), Range(1, 9, ErrorMessage = "1 to 9")]
    public int Quantity { get; set; }

    [DataMember(Order = 2), Required]
    public string? Name { get; set; }
}
