namespace Mux.Description.Proto.Comparing;

/// <summary>What a change may not break.</summary>
internal enum ContractLevel
{
    /// <summary>Bytes and calls.</summary>
    Wire,

    /// <summary>Also the names in JSON.</summary>
    Json,
}
