using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>Meters belong to the host whose meter factory made them.</summary>
public sealed class MeterTests : HostingTests
{
    [Fact]
    public async Task Each_host_counts_its_own_calls()
    {
        await using var first = await StartAsync("mux://first:7070");
        await using var second = await StartAsync("mux://second:7070");
        await CallAsync(first, times: 2);
        await CallAsync(second, times: 3);
        Assert.Equal(["2 by a client of mux://first:7070", "2 at first:7070"], Calls(first));
        Assert.Equal(["3 by a client of mux://second:7070", "3 at second:7070"], Calls(second));
    }

    private static async Task CallAsync(RunningHost host, int times)
    {
        var desk = host.Services.GetRequiredKeyedService<IDesk>(host.Services.GetRequiredService<string>());
        for (int i = 0; i < times; i++) await desk.AskPlainly(new Question());
    }

    /// <summary>What the meters of one host show of calls.</summary>
    private static List<string> Calls(RunningHost host)
    {
        var factory = host.Services.GetRequiredService<IMeterFactory>();
        var readings = new List<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (ReferenceEquals(instrument.Meter.Scope, factory) && instrument.Name is "mux.client.calls" or "mux.server.calls") self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            var reading = new MeterReading(instrument.Name, value, tags.ToArray());
            Assert.Equal(("test.Desk/AskPlainly", "OK"), (reading.Tag("rpc.method"), reading.Tag("rpc.status_code")));
            readings.Add(reading.Tag("mux.client.name") is { } client ? $"{value} by a client of {client}" : $"{value} at {reading.Tag("server.address")}:{reading.Tag("server.port")}");
        });
        listener.Start();
        listener.RecordObservableInstruments();
        readings.Sort((left, right) => right.Contains("by", StringComparison.Ordinal).CompareTo(left.Contains("by", StringComparison.Ordinal)));
        return readings;
    }

    /// <summary>A host that serves and calls itself; its client is named after the address.</summary>
    private Task<RunningHost> StartAsync(string address)
    {
        var builder = NewHost();
        builder.Services.AddSingleton(address);
        builder.Services.AddMuxServer(address).AddService<IDesk, Desk>();
        builder.Services.AddKeyedMuxClient(address, address).AddProxy<IDesk>();
        return StartAsync(builder);
    }
}
