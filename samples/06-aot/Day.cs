using System.Runtime.Serialization;

namespace Forecasts;

[DataContract]
public sealed record Day([property: DataMember(Order = 1)] string? Name, [property: DataMember(Order = 2)] double Celsius);
