using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;

namespace Mux.Tests.Architecture;

/// <summary>Every type that a compiled type names: in its signatures, its fields and in the code of its methods. Constants leave no trace in compiled code.</summary>
internal sealed class ReferencedTypes
{
    private const BindingFlags Own = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<short, OperandType> s_operands = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value, code => code.OperandType);

    private readonly HashSet<Type> _found = [];

    private ReferencedTypes()
    {
    }

    public static IReadOnlyCollection<Type> Of(Type type)
    {
        var references = new ReferencedTypes();
        references.Add(type.BaseType);
        foreach (var contract in type.GetInterfaces()) references.Add(contract);
        foreach (var field in type.GetFields(Own)) references.Add(field.FieldType);
        foreach (var constructor in type.GetConstructors(Own)) references.AddCode(constructor);
        foreach (var method in type.GetMethods(Own))
        {
            references.Add(method.ReturnType);
            references.AddCode(method);
        }

        return references._found;
    }

    private void Add(Type? type)
    {
        if (type is null || type.IsGenericParameter) return;
        if (type.HasElementType)
        {
            Add(type.GetElementType());
            return;
        }

        if (!_found.Add(type.IsGenericType ? type.GetGenericTypeDefinition() : type)) return;
        foreach (var argument in type.GetGenericArguments()) Add(argument);
    }

    private void AddCode(MethodBase method)
    {
        foreach (var parameter in method.GetParameters()) Add(parameter.ParameterType);
        if (method.GetMethodBody() is not { } body) return;
        foreach (var local in body.LocalVariables) Add(local.LocalType);
        foreach (var clause in body.ExceptionHandlingClauses.Where(clause => clause.Flags == ExceptionHandlingClauseOptions.Clause)) Add(clause.CatchType);
        AddTokens(method, body.GetILAsByteArray()!);
    }

    private void AddTokens(MethodBase method, ReadOnlySpan<byte> code)
    {
        while (code.Length > 0)
        {
            int size = code[0] == 0xFE ? 2 : 1;
            var operand = s_operands[size == 2 ? unchecked((short)(0xFE00 | code[1])) : code[0]];
            code = code[size..];
            if (operand is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType)
                AddMember(method, BinaryPrimitives.ReadInt32LittleEndian(code));
            code = code[OperandLength(operand, code)..];
        }
    }

    private void AddMember(MethodBase method, int token)
    {
        var member = method.Module.ResolveMember(token, method.DeclaringType!.GetGenericArguments(), method.IsGenericMethod ? method.GetGenericArguments() : null)!;
        Add(member as Type ?? member.DeclaringType);
        switch (member)
        {
            case FieldInfo field:
                Add(field.FieldType);
                break;
            case MethodBase called:
                foreach (var parameter in called.GetParameters()) Add(parameter.ParameterType);
                if (called.IsGenericMethod) foreach (var argument in called.GetGenericArguments()) Add(argument);
                if (called is MethodInfo { ReturnType: var returned }) Add(returned);
                break;
        }
    }

    private static int OperandLength(OperandType operand, ReadOnlySpan<byte> code) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + 4 * BinaryPrimitives.ReadInt32LittleEndian(code),
        _ => 4,
    };
}
