namespace Mux.Walk.Tests.Law;

public sealed class WingMapTests
{
    [Theory]
    [InlineData("src/Mux.Core/MuxChannel.cs", "Mux.Core/Root")]
    [InlineData("src/Mux.Core/Wire/CallId.cs", "Mux.Core/Protocol/Wire")]
    [InlineData("src/Mux.Core/Protocol/Wire/CallId.cs", "Mux.Core/Protocol/Wire")]
    [InlineData("src/Mux.Core/Calls/CallRoute.cs", "Mux.Core/Calls/Outgoing")]
    [InlineData("src/Mux.Core/Calls/Outgoing/CallRoute.cs", "Mux.Core/Calls/Outgoing")]
    [InlineData("src/Mux.Core/Sessions/Budgets/RateLimit.cs", "Mux.Core/Engine/Sessions/Budgets")]
    [InlineData("src/Mux.Core/Engine/Sessions/Budgets/RateLimit.cs", "Mux.Core/Engine/Sessions/Budgets")]
    [InlineData("src/Mux.Core/Transports/Epoll/EventLoop.cs", "Mux.Core/Runtime/Links/Epoll")]
    [InlineData("src/Mux.Core/Transports/Links/EngineLink.cs", "Mux.Core/Runtime/Links")]
    [InlineData("src/Mux.Core/Diagnostics/MuxMetrics.cs", "Mux.Core/Telemetry")]
    [InlineData("src/Mux.Core/Telemetry/MuxMetrics.cs", "Mux.Core/Telemetry")]
    [InlineData("src/Mux.Redis/DependencyInjection/X.cs", "Mux.Redis/DependencyInjection")]
    [InlineData("src/Mux.Redis/RedisBackplane.cs", "Mux.Redis")]
    public void A_file_has_one_place_before_and_after_it_moves(string file, string place) =>
        Assert.Equal(place, WingMap.OfFile(file).Path);

    [Theory]
    [InlineData("Mux.Core", "Mux", "Mux.Core/Root")]
    [InlineData("Mux.Core", "Mux.Wire", "Mux.Core/Protocol")]
    [InlineData("Mux.Core", "Mux.Protocol", "Mux.Core/Protocol")]
    [InlineData("Mux.Core", "Mux.Calls", "Mux.Core/Calls")]
    [InlineData("Mux.Redis", "Mux.Redis", "Mux.Redis")]
    public void A_type_without_a_file_is_where_its_namespace_says(string assembly, string space, string place) =>
        Assert.Equal(place, WingMap.OfNamespace(assembly, space).Name);

    [Fact]
    public void A_folder_that_is_neither_a_wing_nor_known_is_no_place_of_the_law()
    {
        var place = WingMap.OfFile("src/Mux.Core/Elsewhere/X.cs");

        Assert.DoesNotContain(WingLaw.Entries, entry => entry.Name == place.Name);
    }
}
