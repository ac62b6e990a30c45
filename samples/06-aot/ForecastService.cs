using System.Runtime.CompilerServices;

namespace Forecasts;

internal sealed class ForecastService : IForecasts
{
    private static readonly string[] s_names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

    public ValueTask<Forecast> Predict(string city, int days, CancellationToken cancellationToken) =>
        new(new Forecast { City = city, Days = [.. s_names.Take(days).Select(DayCalled)] });

    public async IAsyncEnumerable<Day> Follow(string city, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var name in s_names)
        {
            await Task.Yield();
            yield return DayCalled(name);
        }
    }

    private static Day DayCalled(string name) => new(name, 20.5 + name.Length);
}
