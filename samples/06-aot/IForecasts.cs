using Mux;

namespace Forecasts;

[MuxService("weather.Forecasts")]
public interface IForecasts
{
    ValueTask<Forecast> Predict(string city, int days, CancellationToken cancellationToken = default);

    IAsyncEnumerable<Day> Follow(string city, CancellationToken cancellationToken = default);
}
