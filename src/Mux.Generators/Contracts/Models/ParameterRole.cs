namespace Mux.Generators.Contracts.Models;

/// <summary>What a parameter of a contract method is for.</summary>
internal enum ParameterRole
{
    /// <summary>It travels with the request.</summary>
    Argument,

    /// <summary>It is the request stream.</summary>
    Stream,

    /// <summary>It holds the options of the call.</summary>
    Options,

    /// <summary>It ends the call.</summary>
    Token,
}
