namespace Mux.Gateway;

/// <summary>The routes of one call of AddGateway.</summary>
internal sealed record GatewayRoutes(IReadOnlyList<MappedRoute> All);
