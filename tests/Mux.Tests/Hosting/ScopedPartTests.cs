using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Contracts;

namespace Mux.Tests.Hosting;

/// <summary>A host does not start if one instance for all calls would keep a part that is for one call.</summary>
public sealed class ScopedPartTests : HostingTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_scoped_part_of_the_one_instance_is_named_with_the_remedy_when_the_host_starts(bool validateScopes)
    {
        var builder = NewHost();
        builder.ConfigureContainer(new DefaultServiceProviderFactory(new ServiceProviderOptions { ValidateScopes = validateScopes }));
        builder.Services.AddMuxServer(Address).AddService<IShape, ShapeOf<Stream>>();
        builder.Services.AddScoped(_ => Stream.Null); // after the service
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Equal(
            "Mux.Tests.Contracts.IShape cannot be served: 'part' (Stream) is scoped, but AddService<IShape, ShapeOf<Stream>>() uses one instance for all calls: use AddScopedService<IShape, ShapeOf<Stream>>().",
            error.Message);
    }

    [Fact]
    public Task A_scoped_part_of_an_open_generic_registration_is_found() =>
        IsRefusedAsync<ShapeOf<IList<Stream>>>(services => services.AddScoped(typeof(IList<>), typeof(List<>)));

    [Fact]
    public Task A_scoped_part_by_key_is_found() => IsRefusedAsync<KeyedShape>(services => services.AddKeyedScoped("disk", (_, _) => Stream.Null));

    [Fact]
    public Task A_closed_registration_goes_before_an_open_one() => StartsAsync<ShapeOf<IList<Stream>>>(services =>
        services.AddSingleton<IList<Stream>>([]).AddScoped(typeof(IList<>), typeof(List<>)));

    [Fact]
    public Task A_scoped_registration_that_another_one_replaces_does_not_count() =>
        StartsAsync<ShapeOf<Stream>>(services => services.AddScoped(_ => Stream.Null).AddSingleton(Stream.Null));

    [Fact]
    public Task A_scoped_registration_with_a_key_is_not_that_without() =>
        StartsAsync<ShapeOf<Stream>>(services => services.AddSingleton(Stream.Null).AddKeyedScoped("disk", (_, _) => Stream.Null));

    [Fact]
    public Task A_transient_part_is_kept() => StartsAsync<ShapeOf<Stream>>(services => services.AddTransient(_ => Stream.Null));

    private async Task IsRefusedAsync<T>(Action<IServiceCollection> register)
        where T : class, IShape
    {
        var builder = NewHost();
        register(builder.Services);
        builder.Services.AddMuxServer(Address).AddService<IShape, T>();
        Assert.Contains("is scoped", (await FailsToStartAsync<InvalidOperationException>(builder)).Message, StringComparison.Ordinal);
    }

    private async Task StartsAsync<T>(Action<IServiceCollection> register)
        where T : class, IShape
    {
        var builder = NewHost();
        register(builder.Services);
        builder.Services.AddMuxServer(Address).AddService<IShape, T>();
        await using var host = await StartAsync(builder);
    }

    private sealed class ShapeOf<T>(T part) : ShapeBase
    {
        public T Part => part;
    }

    private sealed class KeyedShape([FromKeyedServices("disk")] Stream part) : ShapeBase
    {
        public Stream Part => part;
    }
}
