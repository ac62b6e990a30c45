using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Hosting;

/// <summary>AddScopedService: an instance and a scope for every call.</summary>
public sealed class ScopedServiceTests : HostingTests
{
    private readonly Counter _disposed = new("disposed scopes");

    [Fact]
    public async Task Every_call_has_an_instance_of_its_own_that_is_disposed_when_it_returned()
    {
        await using var host = await StartAsync(NewHostWithRelay());
        var sut = host.Services.GetRequiredService<IRelay>();
        var instances = new List<string>();
        for (int i = 1; i <= 3; i++)
        {
            instances.Add(await PassAsync(sut));
            await _disposed.ReachAsync(i);
        }

        Assert.Equal(3, instances.Distinct().Count());
        Assert.Equal(3, _disposed.Count);
    }

    [Fact]
    public async Task The_instance_is_disposed_when_the_handler_threw()
    {
        await using var host = await StartAsync(NewHostWithRelay());
        var sut = host.Services.GetRequiredService<IRelay>();
        await PassAsync(sut, "throw").FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await _disposed.ReachAsync(1);
        await PassAsync(sut, "throw later").FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await _disposed.ReachAsync(2);
    }

    [Fact]
    public async Task An_instance_that_cannot_be_created_fails_its_call_alone_and_is_logged()
    {
        var builder = NewHostWithRelay();
        builder.Services.AddScoped<Stream>(_ => throw new NotSupportedException("There is no part."));
        builder.Services.AddMuxServer().AddScopedService<IDesk, DeskWithoutItsPart>();
        builder.Services.AddMuxClient().AddProxy<IDesk>();
        await using var host = await StartAsync(builder);
        var error = await host.Services.GetRequiredService<IDesk>().AskPlainly(new Question()).FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.DoesNotContain("part", error.Message, StringComparison.Ordinal);
        var entry = Assert.Single(Logs.Of("ServiceUnavailable"));
        Assert.Equal("There is no part.", entry.Error!.Message);
        await PassAsync(host.Services.GetRequiredService<IRelay>());
        Assert.Single(Transport.Connections);
    }

    [Fact]
    public async Task An_instance_that_cannot_be_created_is_logged_with_its_reason_also_where_its_scope_has_to_be_disposed_asynchronously()
    {
        var builder = NewHostWithRelay();
        builder.Services.AddScoped<AsynchronousEnd>();
        builder.Services.AddMuxServer().AddScopedService<IShape, UnfinishedShape>();
        builder.Services.AddMuxClient().AddProxy<IShape>();
        await using var host = await StartAsync(builder);
        await host.Services.GetRequiredService<IShape>().Answered(1).AsTask().FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Equal("There is no shape.", Assert.Single(Logs.Of("ServiceUnavailable")).Error!.Message);
        await _disposed.ReachAsync(1);
    }

    [Fact]
    public async Task A_scope_that_cannot_be_disposed_is_logged_and_its_call_has_its_reply()
    {
        var builder = NewHostWithRelay();
        builder.Services.AddScoped<FailingEnd>();
        await using var host = await StartAsync(builder);
        await PassAsync(host.Services.GetRequiredService<IRelay>());
        var entry = Assert.Single(await Logs.ReachAsync("ScopeFailed"));
        Assert.Equal("The end fails.", entry.Error!.Message);
    }

    private static async Task<string> PassAsync(IRelay relay, string path = "") => await relay.Pass(0, path, TestContext.Current.CancellationToken);

    private HostApplicationBuilder NewHostWithRelay()
    {
        var builder = NewHost();
        builder.Services.AddSingleton(_disposed);
        builder.Services.AddMuxServer(Address).AddScopedService<IRelay, ScopedRelay>();
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>();
        return builder;
    }

    /// <summary>Answers with a number of its own.</summary>
    private sealed class ScopedRelay(Counter disposed, IEnumerable<FailingEnd> failingEnds) : IRelay, IAsyncDisposable
    {
        private static int s_instances;
        private readonly int _number = Interlocked.Increment(ref s_instances);

        public ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken) => path switch
        {
            "throw" => throw new InvalidOperationException(),
            "throw later" => ThrowLaterAsync(),
            _ => new($"{_number} {failingEnds.Count()}"),
        };

        public async ValueTask DisposeAsync()
        {
            await Task.Yield();
            disposed.Add();
        }

        private static async ValueTask<string> ThrowLaterAsync()
        {
            await Task.Yield();
            throw new InvalidOperationException();
        }
    }

    /// <summary>Cannot be disposed synchronously.</summary>
    private sealed class AsynchronousEnd(Counter disposed) : IAsyncDisposable
    {
        public ValueTask DisposeAsync()
        {
            disposed.Add();
            return ValueTask.CompletedTask;
        }
    }

    private sealed class UnfinishedShape : IShape
    {
        public UnfinishedShape(AsynchronousEnd end)
        {
            GC.KeepAlive(end);
            throw new InvalidOperationException("There is no shape.");
        }

        public ValueTask Answered(int number) => default;

        public ValueTask Posted(int number) => default;
    }

    private sealed class FailingEnd : IDisposable
    {
        public void Dispose() => throw new InvalidOperationException("The end fails.");
    }
}
