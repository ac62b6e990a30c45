using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Clients;

/// <summary>What a client is tried with: the bad inputs that concern the dialing side, good servers that are unusual, and silent ones.</summary>
internal static class ClientCatalogue
{
    /// <summary>Servers that send what no server should.</summary>
    public static IReadOnlyList<BadInputCase> Bad { get; } = [.. BadInputCatalogue.All.Where(badInput => badInput.Accepting != true)];

    /// <summary>Servers that keep the rules, and those that say nothing more.</summary>
    public static IReadOnlyList<ClientCase> Others { get; } =
        [.. ClientMessageCases.All, .. ClientStreamCases.All, .. ClientCallCases.All, .. ClientSilenceCases.All];
}
