using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Clients;

/// <summary>Cases for clients: bad inputs for the dialing side, valid but unusual servers, and silent servers.</summary>
internal static class ClientCatalogue
{
    /// <summary>Servers that send invalid input.</summary>
    public static IReadOnlyList<BadInputCase> Bad { get; } = [.. BadInputCatalogue.All.Where(badInput => badInput.Accepting != true)];

    /// <summary>Servers that follow the rules, and servers that fall silent.</summary>
    public static IReadOnlyList<ClientCase> Others { get; } =
        [.. ClientMessageCases.All, .. ClientStreamCases.All, .. ClientCallCases.All, .. ClientSilenceCases.All];
}
