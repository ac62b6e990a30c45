using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>AddCallContext: the context of a call in constructors.</summary>
public sealed class CallContextInjectionTests : HostingTests
{
    [Fact]
    public async Task A_scoped_service_and_its_parts_get_the_context_of_their_call()
    {
        var builder = NewHost();
        builder.Services.AddScoped<Tenant>();
        builder.Services.AddMuxServer(Address).AddCallContext().AddScopedService<IRelay, ScopedRelay>();
        Assert.Equal("7 7", await PassAsync(builder));
    }

    [Fact]
    public async Task A_singleton_gets_it_from_the_accessor()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddCallContext().AddService<IRelay, SingletonRelay>();
        Assert.Equal("7 test.Relay/Pass", await PassAsync(builder));
    }

    [Fact]
    public async Task There_is_none_outside_a_call()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddCallContext();
        await using var host = await StartAsync(builder);
        await using var scope = host.Services.CreateAsyncScope();
        Assert.Null(scope.ServiceProvider.GetRequiredService<IMuxCallContextAccessor>().CallContext);
        var error = Assert.Throws<InvalidOperationException>(scope.ServiceProvider.GetRequiredService<MuxCallContext>);
        Assert.Contains("no Mux call is being served", error.Message, StringComparison.Ordinal);
        Assert.Contains("inject IMuxCallContextAccessor", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task There_is_none_in_code_that_outlives_its_call()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddCallContext().AddService<IRelay, SingletonRelay>();
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>();
        await using var host = await StartAsync(builder);
        await host.Services.GetRequiredService<IRelay>().Pass(0, string.Empty, TestContext.Current.CancellationToken);
        var flow = host.Services.GetRequiredService<SingletonRelay>().Flow!;
        var accessor = host.Services.GetRequiredService<IMuxCallContextAccessor>();
        await Eventually.Holds(() => Get(flow, () => accessor.CallContext) is null, "the end of the context");
        await using var scope = host.Services.CreateAsyncScope();
        var error = Get(flow, () => Assert.Throws<InvalidOperationException>(scope.ServiceProvider.GetRequiredService<MuxCallContext>));
        Assert.Contains("the call that started this code has ended", error.Message, StringComparison.Ordinal);

        static T Get<T>(ExecutionContext flow, Func<T> get)
        {
            T? result = default;
            ExecutionContext.Run(flow, _ => result = get(), null);
            return result!;
        }
    }

    [Fact]
    public async Task A_service_that_takes_it_from_a_host_without_it_is_told_what_to_call()
    {
        var builder = NewHost();
        builder.Services.AddScoped<Tenant>();
        builder.Services.AddMuxServer(Address).AddScopedService<IRelay, ScopedRelay>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Contains("needs Mux.MuxCallContext for 'context', which is not registered (call AddCallContext() after AddMuxServer())", error.Message, StringComparison.Ordinal);
    }

    private async Task<string> PassAsync(HostApplicationBuilder builder)
    {
        builder.Services.AddMuxClient(Address).AddProxy<IRelay>();
        await using var host = await StartAsync(builder);
        var response = new MuxMetadata();
        using var options = new MuxCallOptions { Metadata = new() { ["tenant"] = "7" }, ResponseMetadata = response }.Apply();
        string reply = await host.Services.GetRequiredService<IRelay>().Pass(0, string.Empty, TestContext.Current.CancellationToken);
        Assert.Equal("yes", response["served"]);
        return reply;
    }

    private sealed class Tenant(MuxCallContext context)
    {
        public string? Name => context.Metadata["tenant"];
    }

    private sealed class ScopedRelay(MuxCallContext context, Tenant tenant) : IRelay
    {
        public ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken)
        {
            context.ResponseMetadata["served"] = "yes";
            return new($"{context.Metadata["tenant"]} {tenant.Name}");
        }
    }

    private sealed class SingletonRelay(IMuxCallContextAccessor accessor) : IRelay
    {
        /// <summary>What flowed to code that the last call started.</summary>
        public ExecutionContext? Flow { get; private set; }

        public async ValueTask<string> Pass(int timesLeft, string path, CancellationToken cancellationToken)
        {
            Flow = ExecutionContext.Capture();
            await Task.Yield();
            accessor.CallContext!.ResponseMetadata["served"] = "yes";
            return $"{accessor.CallContext.Metadata["tenant"]} {accessor.CallContext.Method}";
        }
    }
}
