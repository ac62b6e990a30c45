using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Mux.Hosting;
using Mux.Tests.Contracts;

namespace Mux.Tests.Hosting;

/// <summary>A host does not start if the constructor of a service needs what is not registered.</summary>
public sealed class MissingPartTests : HostingTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_missing_part_is_named_with_service_constructor_parameter_and_remedy_when_the_host_starts(bool isScoped)
    {
        var builder = NewHost();
        var server = builder.Services.AddMuxServer(Address);
        _ = isScoped ? server.AddScopedService<IDesk, DeskWithoutItsPart>() : server.AddService<IDesk, DeskWithoutItsPart>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Equal(
            "Mux.Tests.Contracts.IDesk cannot be served: Mux.Tests.Hosting.DeskWithoutItsPart cannot be created: the constructor DeskWithoutItsPart(Stream part) needs System.IO.Stream for 'part', which is not registered (call AddSingleton<Stream>(...) or AddScoped).",
            error.Message);
    }

    [Fact]
    public async Task All_services_that_miss_parts_are_named_together()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddScopedService<IDesk, DeskWithoutItsPart>().AddScopedService<IShape, ShapeOf<Stream>>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Equal(2, error.Message.Split(Environment.NewLine).Length);
        Assert.Contains("ShapeOf<Stream>(Stream part)", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_part_by_key_is_named_with_its_key()
    {
        var builder = NewHost();
        builder.Services.AddSingleton(Stream.Null);
        builder.Services.AddMuxServer(Address).AddScopedService<IShape, KeyedShape>();
        Assert.Contains(
            "needs System.IO.Stream with the key \"disk\" for 'part', which is not registered (call AddKeyedSingleton<Stream>(\"disk\", ...) or AddKeyedScoped)",
            (await FailsToStartAsync<InvalidOperationException>(builder)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missing_proxy_is_told_how_to_be_added()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddScopedService<IShape, ShapeOf<IDesk>>();
        Assert.Contains(
            "(call AddMuxClient(address).AddProxy<IDesk>() to call a server, or register an implementation)",
            (await FailsToStartAsync<InvalidOperationException>(builder)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Groups_peers_and_topics_are_told_how_to_be_added()
    {
        await IsToldAsync<MuxGroups<string, IDesk>>("MuxGroups<string, IDesk> for 'part', which is not registered (call AddMuxGroups<string, IDesk>())");
        await IsToldAsync<MuxGroup<IDesk>>("MuxGroup<IDesk> for 'part', which is not registered (call AddMuxGroup<IDesk>())");
        await IsToldAsync<MuxPeers<IDesk>>("MuxPeers<IDesk> for 'part', which is not registered (call AddMuxPeers<IDesk>())");
        await IsToldAsync<MuxTopics<int, Answer>>("MuxTopics<int, Answer> for 'part', which is not registered (call AddMuxTopics<int, Answer>())");

        async Task IsToldAsync<T>(string text)
        {
            var builder = NewHost();
            builder.Services.AddMuxServer(Address).AddScopedService<IShape, ShapeOf<T>>();
            Assert.Contains(text, (await FailsToStartAsync<InvalidOperationException>(builder)).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public Task A_part_by_key_that_is_registered_is_found() => StartsAsync<KeyedShape>(services => services.AddKeyedSingleton("disk", Stream.Null));

    [Fact]
    public Task A_registered_part_is_found() => StartsAsync<ShapeOf<Stream>>(services => services.AddScoped(_ => Stream.Null));

    [Fact]
    public Task A_sequence_of_parts_may_be_empty() => StartsAsync<ShapeOf<IEnumerable<Stream>>>(_ => { });

    [Fact]
    public Task A_part_of_an_open_generic_registration_is_found() =>
        StartsAsync<ShapeOf<IList<Stream>>>(services => services.AddSingleton(typeof(IList<>), typeof(List<>)));

    [Fact]
    public Task The_provider_itself_is_found() => StartsAsync<ShapeOf<IServiceProvider>>(_ => { });

    [Fact]
    public Task A_part_with_a_default_may_be_missing() => StartsAsync<ShapeWithOption>(_ => { });

    [Fact]
    public Task One_constructor_that_can_be_used_is_enough() => StartsAsync<ShapeWithTwoConstructors>(_ => { });

    /// <summary>Nobody can see what a factory needs.</summary>
    [Fact]
    public Task A_factory_is_not_looked_into() => StartsAsync<ShapeOf<Stream>>(services => services.TryAddScoped(_ => new ShapeOf<Stream>(Stream.Null)));

    /// <summary>It has rules of its own, such as parameters that its registrations give.</summary>
    [Fact]
    public void Another_container_than_that_of_Microsoft_is_not_told_what_it_cannot_create()
    {
        using var microsoft = new ServiceCollection().BuildServiceProvider();
        Assert.NotNull(new ConstructorCheck(microsoft, new ServiceCollection()).FindMistake(typeof(ShapeOf<Stream>)));
        Assert.Null(new ConstructorCheck(new OtherContainer(), new ServiceCollection()).FindMistake(typeof(ShapeOf<Stream>)));
        Assert.Null(new ConstructorCheck(new OtherContainer(), new ServiceCollection()).FindMistake(typeof(ShapeWithoutPublicConstructor)));
    }

    private async Task StartsAsync<T>(Action<IServiceCollection> register)
        where T : class, IShape
    {
        var builder = NewHost();
        register(builder.Services);
        builder.Services.AddMuxServer(Address).AddScopedService<IShape, T>();
        builder.Services.AddMuxClient(Address).AddProxy<IShape>();
        await using var host = await StartAsync(builder);
        await host.Services.GetRequiredService<IShape>().Answered(1); // what the check allowed, the container creates
    }

    private sealed class ShapeOf<T>(T part) : ShapeBase
    {
        public T Part => part;
    }

    private sealed class KeyedShape([FromKeyedServices("disk")] Stream part) : ShapeBase
    {
        public Stream Part => part;
    }

    private sealed class ShapeWithOption(Stream? part = null) : ShapeBase
    {
        public Stream? Part => part;
    }

    private sealed class ShapeWithoutPublicConstructor : ShapeBase
    {
        private ShapeWithoutPublicConstructor()
        {
        }
    }

    /// <summary>A container that knows of no service, like one that finds them when it is asked.</summary>
    private sealed class OtherContainer : IServiceProvider, IServiceProviderIsService
    {
        public object? GetService(Type serviceType) => serviceType == typeof(IServiceProviderIsService) ? this : null;

        public bool IsService(Type serviceType) => false;
    }

    private sealed class ShapeWithTwoConstructors : ShapeBase
    {
        public ShapeWithTwoConstructors()
        {
        }

        public ShapeWithTwoConstructors(Stream part) => part.Dispose();
    }
}
