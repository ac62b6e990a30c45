using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Mux.TestSupport.Transports;

namespace Mux.AspNetCore.Tests.Health;

/// <summary>When an application says that it is ready for Mux.</summary>
public sealed class MuxHealthCheckTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_takes_connections_is_healthy()
    {
        await using var application = await StartAsync();
        var entry = await CheckAsync(application.Services);
        Assert.Equal((HealthStatus.Healthy, "Serving 0 connections."), (entry.Status, entry.Description));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Readiness_ends_before_the_first_connection_is_drained()
    {
        await using var application = await StartAsync();
        var call = application.CreateClient().Ask(new() { Id = 7, Text = "wait" }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await application.Service.Started.ReachAsync(1);
        Task<(HealthReportEntry Entry, int Stops)>? seen = null;
        application.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.Register(() => seen = SeeAsync());
        var stopping = application.StopAsync();
        var (entry, stops) = await seen!.Within("the check while the host stops");
        Assert.Equal((HealthStatus.Unhealthy, 0), (entry.Status, stops));
        Assert.StartsWith("Draining", entry.Description, StringComparison.Ordinal);
        application.Service.Answer.Set();
        await call.Within("the answer");
        await stopping.Within("the stop of the host");

        async Task<(HealthReportEntry, int)> SeeAsync()
        {
            int stops = application.Logs.Of("ServerStopped").Count;
            return (await CheckAsync(application.Services), stops);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_was_stopped_by_itself_is_not_ready()
    {
        await using var application = await StartAsync();
        await application.Server.StopAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HealthStatus.Unhealthy, (await CheckAsync(application.Services)).Status);
    }

    [Fact]
    public async Task A_server_that_was_not_started_is_not_ready()
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddMuxServer(string.Empty);
        builder.Services.AddHealthChecks().AddMux();
        using var host = builder.Build();
        var entry = await CheckAsync(host.Services);
        Assert.Equal((HealthStatus.Unhealthy, "Not started."), (entry.Status, entry.Description));
    }

    private static Task<Application> StartAsync() =>
        Application.StartAsync((endpoint, _) => endpoint.UseMux(), services: services => services.AddHealthChecks().AddMux());

    private static async Task<HealthReportEntry> CheckAsync(IServiceProvider services) =>
        Assert.Single((await services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries, entry => entry.Key == "mux").Value;
}
