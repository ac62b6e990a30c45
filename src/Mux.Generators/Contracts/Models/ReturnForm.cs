namespace Mux.Generators.Contracts.Models;

/// <summary>The return type of a contract method, its result aside.</summary>
internal enum ReturnForm
{
    ValueTask,
    Task,

    /// <summary>A stream without a task around it.</summary>
    Bare,
}
