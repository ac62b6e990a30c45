namespace Mux.Generators.Contracts.Models;

/// <summary>Purposes of the parameters of a contract method.</summary>
internal enum ParameterRole
{
    /// <summary>An argument, sent with the request.</summary>
    Argument,

    /// <summary>The request stream.</summary>
    Stream,

    /// <summary>An object that the handler calls back.</summary>
    Callback,

    /// <summary>The options of the call.</summary>
    Options,

    /// <summary>The token that cancels the call.</summary>
    Token,
}
