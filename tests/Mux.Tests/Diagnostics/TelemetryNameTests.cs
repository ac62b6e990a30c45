using System.Diagnostics;
using Mux.Diagnostics;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

namespace Mux.Tests.Diagnostics;

/// <summary>The scopes that listeners subscribe to.</summary>
public sealed class TelemetryNameTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task Source_and_meters_have_the_version_of_the_package_and_durations_the_buckets_of_the_convention_and_finer_ones()
    {
        var scene = Begin(TransportKind.InMemory);
        using var spans = new Spans();
        using var durations = new Durations(scene.Meters);
        await scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed()))).CreateProxy<IMixed>().Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        var version = FileVersionInfo.GetVersionInfo(typeof(MuxChannel).Assembly.Location).ProductVersion!.Split('+')[0];
        Assert.NotEmpty(version);
        Assert.Equal(version, (await spans.OfTheOnlyCallAsync()).Client.Source.Version);
        foreach (var name in new[] { "rpc.client.call.duration", "rpc.server.call.duration" })
        {
            var (instrument, _, _) = await durations.OfAsync(name);
            Assert.Equal((version, "s"), (instrument.Meter.Version, instrument.Unit));
            var buckets = instrument.Advice!.HistogramBucketBoundaries!;
            Assert.Equal(Convention.Buckets, buckets.Where(bucket => bucket >= Convention.Buckets[0]));
            Assert.Equal(6, buckets.Count(bucket => bucket < Convention.Buckets[0]));
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Durations_are_seconds()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        using var durations = new Durations(scene.Meters);
        var service = new Mixed
        {
            OnOwn = (question, _) =>
            {
                time.Advance(TimeSpan.FromSeconds(2));
                return new(new Answer { Id = question.Id });
            },
        };
        await scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(service))).CreateProxy<IMixed>()
            .Ask(new Question { Text = "own" }, cancellationToken: TestContext.Current.CancellationToken);
        foreach (var name in new[] { "rpc.client.call.duration", "rpc.server.call.duration" }) Assert.InRange((await durations.OfAsync(name)).Value, 1.999, 2.001);
    }

    [Fact]
    public void The_public_names_are_those_of_source_and_meters()
    {
        Assert.Equal(["Mux"], MuxTelemetry.Sources);
        using var meters = new MeterReadings();
        MuxMetrics.For(meters);
        Assert.Equal(meters.Names, MuxTelemetry.Meters);
    }
}
