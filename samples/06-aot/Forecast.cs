using System.Runtime.Serialization;

namespace Forecasts;

[DataContract]
public sealed class Forecast
{
    [DataMember(Order = 1)]
    public string? City { get; set; }

    [DataMember(Order = 2)]
    public List<Day> Days { get; set; } = [];
}
