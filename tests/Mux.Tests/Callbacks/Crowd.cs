using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>Counts the callbacks that are inside, and lets them out when the test says.</summary>
internal sealed class Crowd : ICrowd
{
    public Counter Entered { get; } = new("entries");

    public Signal Release { get; } = new("the release of the crowd");

    public async Task<int> Enter(int number, CancellationToken cancellationToken)
    {
        Entered.Add();
        await Release.WaitAsync();
        return number;
    }
}
