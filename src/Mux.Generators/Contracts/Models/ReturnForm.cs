namespace Mux.Generators.Contracts.Models;

/// <summary>Return types of a contract method, without the result.</summary>
internal enum ReturnForm
{
    ValueTask,
    Task,

    /// <summary>A stream that is not wrapped in a task.</summary>
    Bare,
}
