using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.AspNetCore.Tests;

/// <summary>An application that stops serves on all its endpoints until the delay of its server has passed.</summary>
public sealed class StopDelayTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task Endpoints_of_Kestrel_serve_as_long_as_the_server_and_the_health_check_fails()
    {
        var time = new ManualTime();
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseMux(), options =>
        {
            options.StopDelay = TimeSpan.FromSeconds(5);
            options.TimeProvider = time;
        }, services => services.AddHealthChecks().AddMux());
        var stopping = application.StopAsync();
        await Eventually.Holds(() => application.Server.State == MuxServerState.Draining, "the announcement of the stop");

        var late = await application.CreateClient().Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(7, late.Id);
        var report = await application.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(TestContext.Current.CancellationToken);
        Assert.Equal((HealthStatus.Unhealthy, "Draining: the server is about to stop."), report.Entries["mux"] is var entry ? (entry.Status, entry.Description) : default);
        Assert.False(stopping.IsCompleted);

        await Eventually.Holds(() =>
        {
            time.Advance(TimeSpan.FromSeconds(1));
            return stopping.IsCompleted;
        }, "the stop of the application");
        await stopping;
    }
}
